import type { Inspection } from '../../rule-model/inspection.ts';
import type { Format } from '../../rule-model/rule-words.ts';
import { github } from './github.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { rdjson } from './rdjson.ts';
import { sarif } from './sarif.ts';
import { text } from './text.ts';

/** Writes an inspection out in one format, with a line break at its end; the same findings in each. */
export type Reporter = (inspection: Inspection) => string;

/** Every format by its name on the command line. */
export const REPORTERS: Readonly<Record<Format, Reporter>> = { text, json, github, sarif, junit, rdjson, markdown };
