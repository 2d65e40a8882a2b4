/** Whether a file is a test by its name or its folder. */
export function isTestPath(path: string): boolean {
  return isMarked(path) || /(?:^|\/)(?:tests?|specs?|__tests__|e2e|t|testing|androidTest|[\w.]*Tests?)\//.test(path);
}

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
