import type { Inspection } from '../model/inspection.ts';
import type { Format } from '../model/rule-words.ts';
import { reportGithub } from './github.ts';
import { reportJson } from './json.ts';
import { reportJunit } from './junit.ts';
import { reportMarkdown } from './markdown.ts';
import { reportRdjson } from './rdjson.ts';
import { reportSarif } from './sarif.ts';
import { reportText } from './text.ts';

/** Writes an inspection out in one format, with a line break at its end; the same findings in each. */
export type Reporter = (inspection: Inspection) => string;

export const REPORTERS: Readonly<Record<Format, Reporter>> = {
  text: reportText,
  json: reportJson,
  github: reportGithub,
  sarif: reportSarif,
  junit: reportJunit,
  rdjson: reportRdjson,
  markdown: reportMarkdown,
};
