/** Whether it is the file that is said to be missing, and not something in it. */
export function isFileMissed(file: string, said: string): boolean {
  const path = plainPath(file);
  const base = path.replace(/^.*\//, '');
  const text = [path, base].reduce((all, name) => (name === '' ? all : all.replaceAll(name, 'file')), said);
  return (
    NO_FILE.test(text) ||
    FILE_ABSENT.test(text) ||
    (ABSENT_NATIVE.test(text) &&
      /file|파일|테스트|문서|항목|기록|마이그레이션|文件|测试|文档|条目|日志|迁移/u.test(text))
  );
}

const OWN_FILE = String.raw`(?:file|tests?|specs?|entry|entries|migrations?|docs?|documentation|changelog|readme|fixtures?|release notes?)\b`;
/** `no entry in`, `without a test`, `does not include the migration`, `untested`. */
const NO_FILE = new RegExp(
  String.raw`\b(?:no|without|missing|absent|lack(?:s|ing)?|omit(?:s|ted)|forg[oe]t(?:s|ten)?(?: to \w+)?|le(?:ft|aves?) out|(?:not|never)\s+(?:\w+\s+){0,2}?(?:add|creat|includ|contain|provid|writ|updat|ship|deliver|com)\w*|n['’]t\s+(?:add|creat|includ|contain|provid|writ|updat|ship|deliver|come)\w*)\s+(?:(?!(?:in|on|of|for|from|to|at|by|with|when|if)\b)[\w'’-]+\s+){0,3}["'\x60]?${OWN_FILE}(?!\s+(?!(?:file|tests?|entry|entries|docs|for|in|of|on|to|that|which|about|at|is|was|are|were|and|or|yet|with|covers?|covering|named|called|here|exists?|there|has|have)\b)\w)|\b(?:untested|undocumented)\b|(?:\bnot|n['’]t)\s+(?:\w+\s+)?(?:tested|covered|documented)\b`,
  'i',
);
/** `the migration is missing`, `a test must be added`. */
const FILE_ABSENT = new RegExp(
  String.raw`\b${OWN_FILE}[^.!?\n]{0,40}?(?:\b(?:missing|absent)\b(?!\s+(?:an?|the|any|some)\b)|\bnowhere\b|\bnever (?:added|created|written)|\b(?:should|must|has to|have to|needs? to|to) be (?:added|created|written|updated)|(?:\bnot|n['’]t)\s+(?:(?:been|yet|even)\s+)*(?:there|exist|present|part|found|add|creat|includ|com|provid|writ|updat|cover|ship|deliver))`,
  'i',
);
const ABSENT_NATIVE = /없|누락|빠[졌진]|缺|没有|不存在|未(?:添加|创建|更新)/u;

/** `a/src/x.ts` and `./src/x.ts:12` as `src/x.ts`. */
export const plainPath = (file: string): string =>
  file
    .replace(/^(?:\.\/|[ab]\/)/, '')
    .replace(/:\d+(?:[-:]\d+)?$/, '')
    .trim();
