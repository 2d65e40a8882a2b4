import type { CueKind, Scope } from './negation-cues.ts';

/** What is denied in Korean: the cue ends the clause, what it governs stands before it. */
export function koreanScopes(sentence: string): Scope[] {
  const scopes: Scope[] = [];
  for (const { 0: cue, index, groups } of sentence.matchAll(KOREAN)) {
    const said = { kind: kindOf(groups), cue, cueFrom: index, cueTo: index + cue.length };
    const before = sentence.slice(0, index);
    const clause = lastEnd(before, KOREAN_ENDS);
    if (groups?.['later'] !== undefined) {
      const after = sentence.slice(index).search(/[,.;]/);
      scopes.push({ ...said, from: clause, to: after === -1 ? sentence.length : index + after });
    } else if (groups?.['near'] !== undefined) {
      scopes.push({ ...said, from: Math.max(clause, wordsBefore(before, 3)), to: index });
    } else if (groups?.['turn'] !== undefined) {
      const object = /^.*?[을를](?=\s)/u.exec(before.slice(clause))?.[0];
      if (object !== undefined) scopes.push({ ...said, from: clause, to: clause + object.length });
    } else scopes.push({ ...said, from: clause, to: index });
  }
  return scopes;
}

const KOREAN =
  /(?<near>없이|없는|없다|없음|없앤|없애|대신|빼고|제외)|(?<later>나중|추후|다음에|이후로|미루|미룬|미뤄|보류)|(?<turn>바꾸|바꾼|바꿔|교체|대체|전환)|(?<not>지\s?않|지\s?못|지\s?말|말고|말아|금지|안\s(?=[가-힣])|안\s?된|필요\s?없|아니라|피하|피한|막는|막아|방지|차단|거부)|(?<remove>제거|삭제|지운|지우|중단|그만두|버린)|(?<skip>생략|건너뛰|건너뛴|비활성|해제|무시|우회|[을를]\s(?:끄|꺼|끈|뺀|뺄)|풀어)|(?<mend>마스킹|익명화|가명|고치|고친|수정|암호화)/gu;

const KOREAN_ENDS =
  /[,;\n]|\.(?=\s)|(?:고|며|면서|지만|는데|므로|니까|해서|어서|아서|여서|으나|한\s뒤|은\s뒤|한\s후|한\s다음)(?=\s)/gu;

/** What is denied in Chinese: the cue stands before what it governs, or after it with 把, 将 or at the end of a clause. */
export function chineseScopes(sentence: string): Scope[] {
  const scopes: Scope[] = [];
  for (const { 0: cue, index, groups } of sentence.matchAll(CHINESE)) {
    if (groups?.['none'] !== undefined) continue;
    const end = index + cue.length;
    const said = { kind: kindOf(groups), cue, cueFrom: index, cueTo: end };
    const rest = sentence.slice(end).search(CHINESE_STOPS);
    const right = rest === -1 ? sentence.length : end + rest;
    const clause = lastEnd(sentence.slice(0, index), CHINESE_ENDS);
    const marked = sentence.slice(clause, index).search(/[把将]/u);
    const isLast = sentence.slice(end, right).trim().length <= 2;
    if (groups?.['later'] !== undefined) scopes.push({ ...said, from: clause, to: right });
    else if (marked !== -1 && said.kind !== 'not') scopes.push({ ...said, from: clause + marked, to: index });
    else if (isLast && index > clause) scopes.push({ ...said, from: clause, to: index });
    else scopes.push({ ...said, from: end, to: right });
  }
  return scopes;
}

const CHINESE =
  /(?<none>不仅|不但|不只|不断|不同|无论|没问题|不管|不久|无状态|无障碍|无服务器|别名|级别|类别|特别|分别|识别|区别|个别|未来|不变|不可变|无损|不超过|无线|无限)|(?<later>以后再|之后再|后面再|稍后|回头再|下次再|推迟|延后|暂缓|日后)|(?<remove>删除|删掉|移除|去掉|去除|清除|替换|代替|取代|替代|换成|改成|改为|淘汰|停止)|(?<skip>跳过|省略|省掉|忽略|绕过|取消|关闭|关掉|禁用|停用|屏蔽)|(?<mend>修复|脱敏|匿名化)|(?<not>而不是|而非|不再|不要|不得|不能|不可|不应该?|不用|不会|不必|不需要?|没有|没必要|没|无需|无须|无|未经|未|别|勿|禁止|避免|防止|杜绝|拒绝|暂不|先不|不)/gu;

const CHINESE_STOPS = /[,，。;；:：!！?？()（）\n]|但|然后|就|改用|改为|并且|而是|，/u;
const CHINESE_ENDS = /[,，。;；:：!！?？()（）\n]|但是?|然后|所以|因此|并且?/gu;

const kindOf = (groups: Record<string, string | undefined> | undefined): CueKind => {
  const named = (['later', 'remove', 'skip', 'mend'] as const).find((kind) => groups?.[kind] !== undefined);
  if (groups?.['turn'] !== undefined) return 'remove';
  return named ?? 'not';
};

/** Where the last mark of a kind ends in a text; 0 without one. */
function lastEnd(text: string, marks: RegExp): number {
  const last = [...text.matchAll(marks)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

/** Where the last few words of a text begin. */
function wordsBefore(text: string, count: number): number {
  const starts = [...text.matchAll(/\S+/gu)].map(({ index }) => index);
  return starts.at(-count) ?? 0;
}
