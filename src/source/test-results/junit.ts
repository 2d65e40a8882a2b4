import { SaxesParser } from 'saxes';
import {
  count,
  failureMessage,
  idOf,
  type PlainOutput,
  type Reading,
  type TestOutcome,
  type TestPoint,
} from './test-points.ts';

/**
 * JUnit XML, as pytest, node:test, vitest, surefire, gtest and many others write it. A DOCTYPE is refused, so there are
 * no entities to expand; what is not well-formed to its end was cut off.
 */
export function readJunit({ text }: PlainOutput): Reading {
  const start = /^[ \t]*(?:<\?xml[ \t]|<testsuites?[\s>])/m.exec(text)?.index;
  if (start === undefined || !/<testsuites?[\s>]/.test(text)) return undefined;
  const end = Math.max(text.lastIndexOf('</testsuites>'), text.lastIndexOf('</testsuite>'));
  const document = end < start ? text.slice(start) : text.slice(start, text.indexOf('>', end) + 1);
  try {
    return new JunitDocument().read(document.trim());
  } catch (fault) {
    if (fault instanceof Error) return 'unreadable';
    throw fault;
  }
}

/** An element that is open: a suite with what it says of itself, or a test. */
interface Open {
  readonly tag: string;
  readonly name: string;
  readonly says: Readonly<Record<string, string>>;
  /** Where its points begin. */
  readonly from: number;
  own: number;
  ownFailed: number;
  failed: boolean;
  skipped: boolean;
  toDo: boolean;
  /** The message of its first failure: the attribute, else the text. */
  message: string;
}

class JunitDocument {
  private readonly points: TestPoint[] = [];
  private readonly open: Open[] = [];

  read(document: string): readonly TestPoint[] {
    const parser = new SaxesParser({ position: false, xmlns: false });
    parser.on('doctype', () => refuse('a DOCTYPE'));
    parser.on('opentag', ({ name, attributes }) => this.enter(name, attributes));
    parser.on('closetag', () => this.leave());
    parser.on('text', (text) => this.noteText(text));
    parser.on('cdata', (text) => this.noteText(text));
    parser.write(document).close();
    return this.points;
  }

  private enter(tag: string, says: Readonly<Record<string, string>>): void {
    if (this.open.length === 0 && tag !== 'testsuites' && tag !== 'testsuite') refuse(`<${tag}> at the root`);
    if (this.open.length > DEEPEST) refuse('a document that deep');
    const inside = this.open.at(-1);
    if (inside?.tag === 'testcase') markBy(inside, tag, says);
    const name = says['name'] ?? '';
    const from = this.points.length;
    this.open.push({
      tag,
      name,
      says,
      from,
      own: 0,
      ownFailed: 0,
      failed: false,
      skipped: false,
      toDo: false,
      message: '',
    });
  }

  private noteText(text: string): void {
    const [test, inside] = this.open.slice(-2);
    if (test?.tag !== 'testcase' || (inside?.tag !== 'failure' && inside?.tag !== 'error')) return;
    if (inside.says['message'] === undefined && test.message.length < MOST_TEXT) test.message += text;
  }

  private leave(): void {
    const closed = this.open.pop();
    if (closed?.tag === 'testcase') this.take(closed);
    if (closed?.tag === 'testsuite' || closed?.tag === 'testsuites') this.compare(closed);
  }

  private take(test: Open): void {
    const suite = this.open.at(-1);
    if (suite?.tag !== 'testsuite' && suite?.tag !== 'testsuites') return refuse('a test outside of a suite');
    const outcome = outcomeOf(test);
    suite.own += 1;
    suite.ownFailed += outcome === 'failed' ? 1 : 0;
    const suites = this.open.filter(({ tag }) => tag === 'testsuite').map(({ name }) => name);
    const path = [...suites, test.says['classname'] ?? '', test.name].filter((part, at, all) => part !== all[at - 1]);
    if (test.name === '') refuse('a test without a name');
    this.points.push({
      id: idOf(path.filter((part) => part !== '')),
      outcome,
      ...failureMessage(outcome, test.message),
    });
  }

  /** A suite that says other numbers than its tests is not believed; pytest counts a test's phases, so more is no fault. */
  private compare({ says, from, own, ownFailed }: Open): void {
    const [tests, failures, errors] = [numberIn(says, 'tests'), numberIn(says, 'failures'), numberIn(says, 'errors')];
    const inside = this.points.slice(from);
    if (tests !== undefined && (tests < own || (tests > 0 && inside.length === 0))) refuse('another number of tests');
    const red = (failures ?? 0) + (errors ?? 0);
    // node:test counts what failed, but is still to do, as a failure.
    if (red > count(inside, 'skipped') && count(inside, 'failed') === 0) refuse('failures without a failed test');
    if (red === 0 && failures !== undefined && errors !== undefined && ownFailed > 0) refuse('a failure not counted');
  }
}

/** Reads an element inside a test. A flaky test's first tries (`flakyFailure`, `rerunError`) are not its verdict. */
function markBy(test: Open, tag: string, says: Readonly<Record<string, string>>): void {
  if (tag === 'failure' || tag === 'error') {
    test.failed = true;
    if (test.message === '') test.message = says['message'] ?? '';
  }
  if (tag === 'skipped' || tag === 'disabled') test.skipped = true;
  if (tag === 'skipped' && says['type'] === 'todo') test.toDo = true;
}

function outcomeOf(test: Open): TestOutcome {
  if (test.toDo) return 'skipped';
  if (test.failed || /^(?:fail|error)/i.test(test.says['status'] ?? '')) return 'failed';
  const notRun = /^(?:not_?run|disabled|skipped|suppressed|pending|ignored)/i;
  const words = [test.says['status'] ?? '', test.says['result'] ?? ''];
  return test.skipped || words.some((word) => notRun.test(word)) ? 'skipped' : 'passed';
}

function numberIn(says: Readonly<Record<string, string>>, name: string): number | undefined {
  const value = says[name];
  if (value === undefined) return undefined;
  return /^\d{1,9}$/.test(value) ? Number(value) : refuse(`${name} that is no number`);
}

function refuse(what: string): never {
  throw new Error(`not JUnit XML as andon reads it: ${what}`);
}

const DEEPEST = 100;
const MOST_TEXT = 4000;
