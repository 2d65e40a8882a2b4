import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isWithin } from '../../sandbox/cage/resolve-path.ts';

/** Why a setup command failed, and what to paste. */
export interface SetupFault {
  readonly cause: string;
  /** The line of the output that shows it; empty where it printed none. */
  readonly evidence: string;
  readonly remedy: string;
}

/**
 * Explains the output of a setup command that failed at the network; undefined where another fault is likelier.
 * `isSilent`: it was ended because it waited without a sign of life.
 */
export function explainSetup(run: string, output: string, isSilent: boolean): SetupFault | undefined {
  const tool = TOOLS.find(({ words }) => words.test(run));
  const found = FAULTS.find(({ signs }) => signs.test(output));
  if (found !== undefined) {
    const evidence = output.split('\n').find((line) => found.signs.test(line)) ?? '';
    return { cause: found.cause, evidence: evidence.trim().slice(0, 200), remedy: found.remedy(tool) };
  }
  if (!isSilent) return undefined;
  return { cause: 'it waited for the network without an answer', evidence: '', remedy: PROXY_REMEDY };
}

/** How a package manager takes its settings. */
interface Tool {
  readonly words: RegExp;
  /** The variable that names a file of certificates. */
  readonly certificate: string;
  /** The variable that names the registry. */
  readonly registry: string;
  /** The file in the home folder with registries and logins. */
  readonly settings: string;
}

const TOOLS: readonly Tool[] = [
  { words: /\buv\b/, certificate: 'SSL_CERT_FILE', registry: 'UV_DEFAULT_INDEX', settings: '.config/uv/uv.toml' },
  {
    words: /\bpoetry\b/,
    certificate: 'REQUESTS_CA_BUNDLE',
    registry: 'PIP_INDEX_URL',
    settings: '.config/pypoetry/auth.toml',
  },
  { words: /\b(?:pip|pipenv)\b/, certificate: 'PIP_CERT', registry: 'PIP_INDEX_URL', settings: '.config/pip/pip.conf' },
  {
    words: /\bcargo\b/,
    certificate: 'CARGO_HTTP_CAINFO',
    registry: 'CARGO_REGISTRY_DEFAULT',
    settings: '.cargo/config.toml',
  },
  { words: /\bgo\b/, certificate: 'SSL_CERT_FILE', registry: 'GOPROXY', settings: '.netrc' },
  {
    words: /\b(?:npm|pnpm|yarn|bun|node|npx)\b/,
    certificate: 'NODE_EXTRA_CA_CERTS',
    registry: 'NPM_CONFIG_REGISTRY',
    settings: '.npmrc',
  },
];

const OTHER: Tool = { words: /(?:)/, certificate: 'SSL_CERT_FILE', registry: 'HTTPS_PROXY', settings: '.netrc' };

const AGAIN = 'then run `andon doctor` again in the same shell';
const PROXY_REMEDY = `if this network needs a proxy: \`export HTTPS_PROXY=http://proxy.example:3128\`, ${AGAIN}`;

interface Fault {
  readonly signs: RegExp;
  readonly cause: string;
  readonly remedy: (tool?: Tool) => string;
}

/** The first fault whose signs are in the output counts: a missing package may follow from a missing network, and a timeout from a certificate. */
const FAULTS: readonly Fault[] = [
  {
    signs:
      /self[- _]signed[- _]cert|unable[- _]to[- _](?:get|verify)[- _](?:the )?(?:local[- _]|first[- _])?(?:issuer|leaf|certificate)|certificate[- _]verify[- _]failed|certificate signed by unknown authority|invalid peer certificate|UnknownIssuer|SSL certificate problem/i,
    cause: 'the certificate of the server is not trusted (a company proxy often has one of its own)',
    remedy: ({ certificate } = OTHER) =>
      `name the file of the certificate: \`export ${certificate}=/path/to/company.pem\`, ${AGAIN}`,
  },
  {
    signs:
      /ECONNREFUSED (?:127\.|::1|localhost)|(?:127\.0\.0\.1|localhost|\[::1\]):\d+.{0,80}(?:refused|unreachable)|(?:refused|unreachable).{0,80}(?:127\.0\.0\.1|localhost)/i,
    cause: 'it asked a proxy or server on this machine, which the network of setup does not reach',
    remedy: () =>
      `name the proxy by an address of your network: \`export HTTPS_PROXY=http://192.0.2.1:3128\`, ${AGAIN}`,
  },
  {
    signs: /\b407\b|proxy authentication required/i,
    cause: 'the proxy wants a login',
    remedy: () => `\`export HTTPS_PROXY=http://user:password@proxy.example:3128\`, ${AGAIN}`,
  },
  {
    signs:
      /\bE40[13]\b|\bENEEDAUTH\b|\b40[13] (?:Client Error|Unauthorized|Forbidden)|status code 40[13]|authentication (?:required|failed)|terminal prompts disabled/i,
    cause: 'the registry refuses the login: setup sees neither your home folder nor its tokens',
    remedy: (tool) => showSettings(tool),
  },
  {
    signs:
      /ENOTFOUND|EAI_AGAIN|could not resolve|name resolution|name or service not known|no such host|dns error|failed to lookup address/i,
    cause: 'no address was found for the name of the registry: setup has no network, or needs a proxy',
    remedy: () => PROXY_REMEDY,
  },
  {
    signs:
      /ETIMEDOUT|ESOCKETTIMEDOUT|ECONNRESET|ECONNREFUSED|ENETUNREACH|ERR_SOCKET_TIMEOUT|connection timed out|read timed out|operation timed out|i\/o timeout|network is unreachable|Connection refused|tunneling socket|Cannot connect to proxy/i,
    cause: 'the registry or the proxy did not answer',
    remedy: () => PROXY_REMEDY,
  },
  {
    signs:
      /\bE404\b|404 Not Found|No matching distribution found|ERR_PNPM_FETCH_404|not found in the package registry/i,
    cause: 'the registry does not have a package: setup does not see the registries of your home folder',
    remedy: (tool) => showSettings(tool),
  },
];

/** The line of the user's own configuration that shows the settings of a package manager to setup. */
const showSettings = ({ settings, registry }: Tool = OTHER): string => showInCage(join(homedir(), settings), registry);

const showInCage = (path: string, variable: string): string =>
  `add to your own configuration (~/.config/andon/config.yaml): \`cage: { read: [${path}], env: [${variable}] }\``;

/**
 * How to show a toolchain to the cage, where an output misses a path in it that the machine has; undefined for another
 * fault. Only folders of toolchains that your environment names: the output is the project's, and must not make you show
 * it a folder with keys.
 */
export function showHiddenTool(output: string, env: NodeJS.ProcessEnv): string | undefined {
  const missed = [...output.matchAll(MISSING)].flatMap(([, path = '']) => (existsSync(path) ? [path] : []));
  const asksRustup = /rustup could not choose a version/.test(output);
  for (const variable of TOOLCHAINS) {
    const folder = env[variable];
    if (folder === undefined || folder.length < 2) continue;
    if ((asksRustup && variable === 'RUSTUP_HOME') || missed.some((path) => isWithin(path, folder)))
      return showInCage(folder, variable);
  }
  return undefined;
}

const MISSING = /(\/[^\s:;,'"`()]+)['"`]?: (?:No such file or directory|not found|cannot (?:open|execute))/gi;
/** Variables that name programs alone; `CARGO_HOME` and the like hold logins too. */
const TOOLCHAINS =
  'PYENV_ROOT RBENV_ROOT NODENV_ROOT RUSTUP_HOME GOROOT JAVA_HOME VOLTA_HOME NVM_DIR SDKMAN_DIR ASDF_DATA_DIR MISE_DATA_DIR'.split(
    ' ',
  );
