/**
 * Whether this `.git/config` is that of an ordinary repository, readable in full here. If not, ask git, which may
 * accept it.
 */
export function isPlainConfig(text: string): boolean {
  if (text.includes('\0')) return false;
  let section: string | undefined;
  let hasName = false;
  for (const line of text.split(/\r?\n/)) {
    if (BLANK.test(line)) continue;
    const opened = SECTION.exec(line);
    if (opened !== null) [section, hasName] = [opened[1]?.toLowerCase() ?? '', opened[2] !== undefined];
    else if (section === undefined || !isPlainLine(line, section, hasName)) return false;
  }
  return true;
}

/** A comment, or nothing. */
const BLANK = /^\s*(?:[#;].*)?$/;
const SECTION = /^\s*\[([a-z0-9-]+)(?:[ \t]+("(?:[^"\\]|\\.)*"))?\]\s*(?:[#;].*)?$/i;
const LINE = /^\s*([a-z][a-z0-9-]*)\s*(?:=\s*((?:[^"\\#;]|\\["\\ntb]|"(?:[^"\\]|\\["\\ntb])*")*)(?:[#;].*)?)?$/i;

function isPlainLine(line: string, section: string, hasName: boolean): boolean {
  const [, key = '', value] = LINE.exec(line) ?? [];
  if (key === '') return false;
  const known = KEYS[section];
  if (known !== undefined) return value !== undefined && known[key.toLowerCase()]?.test(value.trim()) === true;
  return !ASKED.includes(section) && (section !== 'branch' || hasName);
}

const TRUTH = /^(?:true|false)$/;
const TEXT = /^[^~]/;

/** Sections whose values git reads at every start, with values that are accepted and ordinary. */
const KEYS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  core: {
    repositoryformatversion: /^0$/,
    bare: /^false$/,
    filemode: TRUTH,
    symlinks: TRUTH,
    ignorecase: TRUTH,
    precomposeunicode: TRUTH,
    logallrefupdates: TRUTH,
    autocrlf: /^(?:true|false|input)$/,
    hookspath: TEXT,
    sshcommand: TEXT,
    editor: TEXT,
  },
  user: { name: TEXT, email: TEXT, signingkey: TEXT },
};

/** Sections with more possible faults than are checked here, or that include other files or change the format. */
const ASKED = ['include', 'includeif', 'extensions', 'push', 'advice', 'mailmap', 'pack', 'sparse', 'attr', 'i18n'];
