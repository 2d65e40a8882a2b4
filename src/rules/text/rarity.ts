import { REFERENCE, UNKNOWN_RARITY } from './reference-rarity.ts';

/** How much an English stem tells, 0 (in every text) to 8 (in hardly any): the natural logarithm of its inverse document frequency. */
export function rarityOf(stem: string): number {
  return RARITY.get(stem) ?? UNKNOWN_RARITY;
}

const RARITY: ReadonlyMap<string, number> = new Map(
  REFERENCE.flatMap(([rarity, stems]) => stems.split(/\s+/).map((stem) => [stem, rarity] as const)),
);

/** Words that tell nothing about a subject. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an the this that these those it its is are was were be been being am do does did have has had of in on at to for from by with as into onto over under per via and or nor but so if then than too very can could may might shall should will would must we you i he she they them us our your my their who which what when where while how why there here all any each every some such both either neither one two own other another more most less least much many few not no yes also just only even still yet again now ever never always about across after before between during through until up down out off because since though although however let please once without within everyone everything someone something anyone anything nobody nothing none them themselves itself etc e g i.e'.split(
    ' ',
  ),
);

/** Verbs and nouns of every plan: they tell little whatever they stand with. */
export const LIGHT_WORDS: ReadonlySet<string> = new Set(
  'contain hold carry see know think look bother use us add put get set make take keep leave go run start do let give write store save create build load check have need want ship come pass work change update move new code thing way time first same different good work step plan part side case place level kind list item value name file line user system service app application project team require required mandatory allow ensure follow support include provide stay remain turn call page end live answer prefer instead expose show handle declare function class method module release product production process step'.split(
    ' ',
  ),
);
