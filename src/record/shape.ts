import { z } from 'zod';
import { once } from '../base/once.ts';

/** An object that has these keys and no others, made when it is first asked for. */
export const closed = <Shape extends z.ZodRawShape>(shape: () => Shape): (() => z.ZodObject<Shape, z.core.$strict>) =>
  once(() => z.strictObject(shape()));

/** An object as others write it: these keys, and whatever else. */
export const spoken = <Shape extends z.ZodRawShape>(shape: () => Shape): (() => z.ZodObject<Shape>) =>
  once(() => z.object(shape()));
