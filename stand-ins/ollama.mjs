// A stand-in for the `ollama` command line (0.33.0): same arguments, streams and exit codes, answers from a scenario.
import {
  COMMON_BEHAVIOURS,
  doNothingForEver,
  estimateTokens,
  fail,
  piecesOf,
  prepare,
  print,
  printError,
  readStdin,
  sleep,
  textOfMegabytes,
} from './behaviours.mjs';
import { goDuration, startSpinner, wordWrapper } from './ollama-display.mjs';
import { contextOf, create, failToPull, knownModels, list, ps, rememberModel, show } from './ollama-models.mjs';
import { helpOf, parseOllama } from './ollama-options.mjs';
import {
  ScenarioError,
  behavioursOf,
  claimAnswer,
  fill,
  fullName,
  loadScenario,
  record,
  replyOf,
} from './scenario.mjs';

const BEHAVIOURS = new Set([
  ...COMMON_BEHAVIOURS,
  ...'server-down pull-fails signed-out cut-after silent endless megabytes empty invalid-utf8 exit signal'.split(' '),
]);
const SERVER_DOWN = "Error: could not connect to ollama server, run 'ollama serve' to start it";
/** Tokens at the head that survive a truncation: num_keep 4 and the begin-of-sequence token. */
const KEPT_TOKENS = 5;
const BYTES_PER_TOKEN = 4;

const argv = process.argv.slice(2);

try {
  await main();
  process.exit(0);
} catch (error) {
  await fail(`Error: ${error instanceof ScenarioError ? error.message : error.stack}`);
}

async function main() {
  const scenario =
    isUnscripted(parseOllama(argv)) && !process.env['ANDON_SCENARIO'] ? undefined : loadScenario('ollama', BEHAVIOURS);
  const options = parseOllama(argv, scenario?.ollama_unknown);
  const unscripted = isUnscripted(options);
  if (scenario && (unscripted || options.command !== 'run'))
    record(scenario, { program: 'ollama', argv, prompt: null });
  if (scenario) await misbehave(scenario, behavioursOf({ does: scenario.ollama_does[options.command] }));
  if (options.problem !== undefined) return fail(`Error: ${options.problem}`);
  if (options.help) return print(helpOf(options.command, scenario?.ollama_unknown));
  if (options.command === 'version') return printVersion(scenario);
  if (!scenario.ollama_server) {
    if (options.command === 'run') record(scenario, { program: 'ollama', argv, prompt: null });
    return fail(SERVER_DOWN);
  }
  const commands = { run, show, list, ps, create };
  return commands[options.command](scenario, options);
}

/** Faulty use, a question for help or for the version need no scenario. */
function isUnscripted({ problem, help, command }) {
  return problem !== undefined || help === true || command === 'version';
}

/** The version is the server's; the client speaks of its own where that is another one, or none answers. */
function printVersion(scenario) {
  const { client, server } = scenario?.ollama_version ?? { client: '0.33.0', server: '0.33.0' };
  const isUp = scenario?.ollama_server ?? true;
  return print(
    (isUp ? `ollama version is ${server}\n` : 'Warning: could not connect to a running Ollama instance\n') +
      (isUp && client === server ? '' : `Warning: client version is ${client}\n`),
  );
}

/** What a command that answers no prompt does before its own work, or in place of it. */
async function misbehave(scenario, does) {
  if (does.size === 0) return;
  await prepare(scenario, {}, does);
  if (does.has('silent')) await doNothingForEver();
  if (does.has('server-down')) await fail(SERVER_DOWN);
  if (does.has('megabytes')) await print(textOfMegabytes(does.get('megabytes')));
  if (does.has('invalid-utf8')) await print(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xe2, 0x82]));
  if (does.has('cut-after')) await fail('Error: unexpected EOF');
  if (does.has('empty')) process.exit(0);
  if (does.has('exit')) process.exit(Number(does.get('exit')));
  if (does.has('signal')) {
    process.kill(process.pid, does.get('signal'));
    await doNothingForEver();
  }
}

async function run(scenario, options) {
  const [name, ...words] = options.names;
  const piped = process.stdin.isTTY ? '' : (await readStdin()).toString();
  const sent = [...(piped === '' ? [] : [piped]), ...words].join(' ');
  const model = knownModels(scenario).get(fullName(name));
  const log = (more) => record(scenario, { program: 'ollama', argv, prompt: sent, ...more });

  if (!model) {
    log({});
    return failToPull('file does not exist');
  }
  if (options.think && options.think !== 'false' && !model.thinks) {
    log({});
    return fail(`Error: 400 Bad Request: "${name}" does not support thinking`);
  }
  rememberModel(scenario, name, { loaded: !/^0+[a-z]*$/.test(options.keepalive ?? ''), loaded_as: null });
  if (sent === '') {
    log({});
    return process.stdin.isTTY ? fail('Error: this stand-in cannot be talked to interactively') : undefined;
  }

  const { prompt, tokens, truncated } = truncate(sent, contextOf(model));
  const answer = claimAnswer(scenario, { program: 'ollama', models: [name], prompt });
  log({ answer: answer?.index ?? null, ...(truncated ? { truncated_to: tokens } : {}) });
  if (!answer) return fail('Error: scenario has no answer for this prompt');
  return generate(scenario, answer.call, {
    options,
    prompt,
    tokens,
    thinks: Boolean(model.thinks) && options.think !== 'false',
  });
}

/** From the prompt to the last byte of the answer, with everything that can go wrong in between. */
async function generate(scenario, call, { options, prompt, tokens, thinks }) {
  const started = performance.now();
  const does = behavioursOf(call);
  const spinner = startSpinner();
  process.once(
    'SIGINT',
    () =>
      void spinner
        .clear()
        .then(() => print(''))
        .then(() => process.exit(0)),
  );
  const failWith = async (message) => {
    await spinner.clear();
    return fail(message);
  };

  await prepare(scenario, call, does);
  if (does.has('server-down')) return failWith(SERVER_DOWN);
  if (does.has('pull-fails')) {
    await spinner.clear();
    return failToPull('Get "https://registry.ollama.ai/v2/": dial tcp: lookup registry.ollama.ai: no such host');
  }
  if (does.has('signed-out')) {
    await spinner.clear();
    return print('You need to be signed in to Ollama to run Cloud models.\n\n');
  }
  if (does.has('silent')) {
    rememberModel(scenario, options.names[0], { loaded: false }); // `ps` lists a model that works
    return doNothingForEver();
  }

  const text = answerText(call, does, options, prompt);
  const loaded = performance.now();
  let wrap = wordWrapper(!options.nowordwrap);
  if (thinks && !options.hidethinking) {
    const thoughts = call.thoughts ?? 'The scenario asks for this answer, so I give it.';
    await spinner.clear();
    await print(`Thinking...\n${wrap(thoughts)}${thoughts.endsWith('\n') ? '' : '\n'}...done thinking.\n\n`);
    wrap = wordWrapper(!options.nowordwrap);
  }
  do {
    for (const piece of piecesOf(text, call)) {
      await spinner.clear();
      await print(wrap(piece));
      if (call.every_ms || does.has('endless')) await sleep(call.every_ms ?? 20);
    }
  } while (does.has('endless'));
  if (does.has('invalid-utf8')) await print(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xe2, 0x82]));

  await spinner.clear();
  if (does.has('cut-after')) return fail('Error: unexpected EOF');
  if (does.has('exit')) process.exit(Number(does.get('exit')));
  if (does.has('signal')) {
    process.removeAllListeners(does.get('signal'));
    process.kill(process.pid, does.get('signal'));
    return doNothingForEver();
  }
  await print('\n\n');
  return options.verbose ? printError(statistics(call, { text, tokens, started, loaded })) : undefined;
}

function answerText(call, does, options, prompt) {
  if (does.has('empty')) return '';
  if (does.has('megabytes')) return textOfMegabytes(does.get('megabytes'));
  const reply = replyOf(call, prompt);
  const structured = call.structured === undefined ? undefined : JSON.stringify(fill(call.structured, prompt));
  const text = (options.format === undefined ? (reply ?? structured) : (structured ?? reply)) ?? '';
  if (does.has('endless') && text === '') return 'and so on ';
  return does.has('cut-after')
    ? Array.from(text)
        .slice(0, Number(does.get('cut-after')))
        .join('')
    : text;
}

/**
 * What the model gets to see. Too long a prompt silently loses most of its head, as the server does it: the first few
 * tokens and the last half of the context remain.
 */
function truncate(sent, context) {
  const tokens = estimateTokens(sent);
  if (tokens <= context - 1) return { prompt: sent, tokens, truncated: false };
  const left = context - Math.max(Math.floor((context - KEPT_TOKENS) / 2), 1);
  const bytes = Buffer.from(sent);
  const head = bytes.subarray(0, KEPT_TOKENS * BYTES_PER_TOKEN);
  const tail = bytes.subarray(bytes.length - (left - KEPT_TOKENS) * BYTES_PER_TOKEN);
  return { prompt: head.toString() + tail.toString(), tokens: left, truncated: true };
}

function statistics(call, { text, tokens, started, loaded }) {
  const now = performance.now();
  const prompted = call.usage?.in ?? tokens;
  const written = call.usage?.out ?? estimateTokens(text);
  const loading = Math.max(loaded - started, 0.001);
  const writing = Math.max(now - loaded, 0.001);
  const counted = (name, count, ms) =>
    count === 0
      ? ''
      : line(`${name} count`, `${count} token(s)`) +
        line(`${name} duration`, goDuration(ms)) +
        line(`${name} rate`, `${(count / (ms / 1000)).toFixed(2)} tokens/s`);
  return (
    line('total duration', goDuration(now - started)) +
    line('load duration', goDuration(loading)) +
    counted('prompt eval', prompted, loading) +
    counted('eval', written, writing)
  );
}

function line(name, value) {
  return `${`${name}:`.padEnd(21)} ${value}\n`;
}
