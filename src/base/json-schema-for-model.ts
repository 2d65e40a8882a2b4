import { z } from 'zod';

/**
 * The JSON Schema of an answer for models and their grammars: flat, without `$schema` and without the bounds of safe
 * integers, which some grammars expand digit by digit. Some providers refuse any bound; `isBounded: false` leaves all out.
 */
export function jsonSchemaForModel(shape: z.ZodType, { isBounded = true } = {}): object {
  const schema = z.toJSONSchema(shape, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      for (const bound of isBounded ? [] : BOUNDS) delete jsonSchema[bound];
    },
  });
  delete schema.$schema;
  return schema;
}

const BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
] as const;
