import { z } from 'zod';

/**
 * The JSON Schema of an answer for models and their grammars: flat, without `$schema` and without the bounds of safe
 * integers, which some grammars expand digit by digit.
 */
export function jsonSchemaForModel(shape: z.ZodType): object {
  const schema = z.toJSONSchema(shape, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  delete schema.$schema;
  return schema;
}
