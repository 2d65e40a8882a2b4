import { z } from 'zod';
import { once } from '../base/once.ts';

/** A strict object schema, created on first use. */
export const closed = <Shape extends z.ZodRawShape>(shape: () => Shape): (() => z.ZodObject<Shape, z.core.$strict>) =>
  once(() => z.strictObject(shape()));

/** A tolerant object schema: unknown keys are kept. */
export const spoken = <Shape extends z.ZodRawShape>(shape: () => Shape): (() => z.ZodObject<Shape>) =>
  once(() => z.object(shape()));
