import { z } from 'zod';
import type { JsonPath } from './fault.ts';

/** The schema of what belongs at a path of a document; undefined where nothing does. */
export function schemaAt(schema: z.ZodType, path: JsonPath): z.ZodType | undefined {
  let here: z.ZodType | undefined = schema;
  for (const step of path) {
    const shape: Record<string, z.ZodType> | undefined = shapeOf(here);
    const list = listOf(here);
    here = typeof step === 'number' ? list : shape?.[step];
  }
  return here;
}

/** The keys that the schema of an object knows; of a union, those of its object. */
export function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> | undefined {
  const here = bare(schema);
  if (here instanceof z.ZodObject) return here.shape;
  return here instanceof z.ZodUnion ? firstOf(here, shapeOf) : undefined;
}

/** A schema without what says that its value may be missing. */
export function bare(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap() as z.ZodType);
  return schema;
}

/** What zod says about the branch of a union that was meant: the one that fits from outside; undefined when none does. */
export function issuesInside(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  const meant = issue.errors.find((branch) => branch.some((one) => one.path.length > 0));
  return meant?.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

/** The types of JSON in plain words. */
export const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function listOf(schema: z.ZodType | undefined): z.ZodType | undefined {
  const here = bare(schema);
  if (here instanceof z.ZodArray) return here.element as z.ZodType;
  return here instanceof z.ZodUnion ? firstOf(here, listOf) : undefined;
}

function firstOf<Found>(union: z.ZodUnion, look: (one: z.ZodType) => Found | undefined): Found | undefined {
  for (const option of union.options) {
    const found = look(option as z.ZodType);
    if (found !== undefined) return found;
  }
  return undefined;
}
