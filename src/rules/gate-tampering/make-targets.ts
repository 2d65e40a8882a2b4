/** The files in which targets stand. */
export const MAKEFILES = ['Makefile', 'makefile', 'GNUmakefile', 'justfile', 'Justfile', '.justfile'];

/** A target with its recipe. */
interface Target {
  readonly name: string;
  readonly text: string;
  readonly needs: readonly string[];
}

/** The targets of a Makefile or justfile, in their order. */
function targetsIn(text: string): readonly Target[] {
  const targets: Target[] = [];
  let open: string[] = [];
  let heads: readonly string[] = [];
  let needs: readonly string[] = [];
  const close = (): void => {
    for (const name of heads) targets.push({ name, needs, text: open.join('\n').trimEnd() });
    [open, heads] = [[], []];
  };
  for (const line of text.split('\n')) {
    const head = /^([^\s#:=][^:=#]*?)\s*::?(?!=)\s*(.*)$/.exec(line);
    if (head !== null && !/^\.(?:PHONY|SUFFIXES)/.test(line)) {
      close();
      heads = (head[1] ?? '').split(/\s+/).slice(0, 50);
      needs = (head[2] ?? '')
        .replace(/[#;].*/, '')
        .split(/\s+/)
        .filter((need) => /^[\w.-]+$/.test(need));
      open.push(line.replace(/\s+#.*/, '').trim());
    } else if (heads.length > 0 && /^\s/.test(line)) {
      if (!/^\s*#/.test(line) && line.trim() !== '') open.push(line.trim());
    } else if (line.trim() !== '' && !line.startsWith('#')) close();
  }
  close();
  return targets;
}

/** The targets that these names lead to; an empty name is the first target. */
export function targetsReached(text: string, names: Iterable<string>): readonly Target[] {
  const all = targetsIn(text);
  const byName = new Map(all.map((target) => [target.name, target]));
  const found = new Map<string, Target>();
  const open = [...names].map((name) =>
    name === '' ? (all.find((target) => !target.name.startsWith('.'))?.name ?? '') : name,
  );
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const target = byName.get(name);
    if (target === undefined || found.has(name)) continue;
    found.set(name, target);
    open.push(...target.needs);
  }
  return [...found.values()];
}
