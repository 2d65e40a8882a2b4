/**
 * Converts a journal entry of an older version to the current form. Fields added since are optional; the hashed text
 * never changes.
 */
export function upgradeEntry(entry: unknown): unknown {
  if (isObject(entry) && entry['kind'] === 'admitted') return admittedOfToday(entry);
  if (!isObject(entry) || entry['kind'] !== 'moved' || !isObject(entry['facts'])) return entry;
  const { facts } = entry;
  const { mergeBlocked, tampered, choice, halt, rebuttal, panelAgain } = facts;
  const changed: Record<string, unknown> = {};
  if (typeof mergeBlocked === 'string') changed['mergeBlocked'] = { reason: mergeBlocked };
  if (isObject(tampered) && tampered['edited'] === null) changed['tampered'] = { ...tampered, edited: '' };
  if (Array.isArray(rebuttal)) changed['rebuttal'] = rebuttal.map(pointOfToday);
  if (Array.isArray(panelAgain)) changed['panelAgain'] = panelAgain.map(askedAnewOfToday);
  if (isObject(choice)) changed['choice'] = { ...choice, effect: effectOfToday(choice['effect']) };
  if (isObject(halt) && Array.isArray(halt['paths']))
    changed['halt'] = { ...halt, paths: halt['paths'].map(pathOfToday) };
  return Object.keys(changed).length === 0 ? entry : { ...entry, facts: { ...facts, ...changed } };
}

/** A contract once named one implementer; today it is a list. */
function admittedOfToday(entry: Record<string, unknown>): unknown {
  const { contract } = entry;
  if (!isObject(contract) || !isObject(contract['roles'])) return entry;
  const { implementer, ...roles } = contract['roles'];
  return implementer === undefined
    ? entry
    : { ...entry, contract: { ...contract, roles: { implementers: [implementer], ...roles } } };
}

/** A rebuttal once consisted of sentences alone. */
const pointOfToday = (point: unknown): unknown => (typeof point === 'string' ? { why: point } : point);

/** Reviewers to ask again were once names alone. */
const askedAnewOfToday = (one: unknown): unknown => (typeof one === 'string' ? { reviewer: one, why: '' } : one);

const pathOfToday = (path: unknown): unknown =>
  isObject(path) ? { ...path, effect: effectOfToday(path['effect']) } : path;

/** One number once forgave every kind of agent failure; today each kind has its own. */
function effectOfToday(effect: unknown): unknown {
  if (!isObject(effect) || effect['tries'] === undefined) return effect;
  const { tries, ...others } = effect;
  return { ...others, stallTries: tries, scopeTries: tries, reportTries: tries };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
