export function isTestPath(path: string): boolean {
  return (
    isMarked(path) ||
    isPlainTest(path) ||
    /(?:^|\/)(?:tests?|specs?|__tests__|e2e|t|testing|androidTest|[\w.]*Tests?)\//.test(path)
  );
}

/** Whether a file is called a test without being marked as one, such as `test.js` beside `index.js`. */
function isPlainTest(path: string): boolean {
  return PLAIN.test(path.slice(path.lastIndexOf('/') + 1)) && !TOOLS.test(path);
}

/** Whether a file that is called a test only runs other programs, by its text. */
export const isScriptCalledTest = (path: string, text: string): boolean => isPlainTest(path) && !DECLARES.test(text);

/** The names by which Node.js, mocha and unittest find tests, without what supports them. */
const PLAIN =
  /^(?:(?:tests?|specs?)\.(?:[cm]?[jt]sx?|py|rb)|(?![\w-]*(?:setup|teardown|env|helper|util|global|bootstrap|run|report|preload|register|hook|config))(?:[\w-]+[_-](?:tests?|spec)|tests?-[\w-]+|\w+Spec)\.[cm]?[jt]sx?)$/;

/** Folders of tools: a file called `test` there runs the tests. */
export const TOOLS = /(?:^|\/)(?:scripts?|tools?|tooling|ci|\.ci|build|hack|dev|\.?config|gates?|checks?|qa|mk)\//;

const DECLARES =
  /(?<![\w.])(?:(?:it|test|describe|suite|context|specify)(?:\.\w+){0,3}\s*\(|(?:t|tap|self|assert|expect|should)\b[.(]|def test|assert\b|class \w*Test|(?:it|describe|test) ["'])/;

/** Whether runners find a file by its name in every folder. */
function isMarked(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    /\.(?:test|spec|cy|e2e)\.[cm]?[jt]sx?$/.test(name) ||
    /(?:^|\/)__tests__\//.test(path) ||
    /^(?:test_.*|.*_tests?|.*_spec|conftest)\.(?:py|rb|go|sh|bats|cc|cpp|c)$/.test(name) ||
    /(?:Tests?|Spec|IT)\.(?:java|kt|cs|php|swift|groovy|scala)$/.test(name) ||
    name.endsWith('.bats')
  );
}

/** Whether it holds what a test's result is compared with. */
export const isSnapshot = (path: string): boolean =>
  /(?:^|\/)(?:__snapshots__|__image_snapshots__|snapshots)\/|\.(?:snap|ambr|approved|verified)(?:\.\w+)?$|\.(?:approved|verified)\.\w+$/.test(
    path,
  );

/** Whether a file is code: data that tests read, and prose about them, is not. */
export const isCodePath = (path: string): boolean =>
  !/\.(?:md|txt|json|ya?ml|toml|csv|html?|xml|svg|png|jpe?g|gif|lock|snap|ini|cfg|out|golden|log|gitkeep|map|css|scss|sql|proto|pdf|zip|gz|bin)$/i.test(
    path,
  );
