import { z } from 'zod';
import { lazy } from './lazy.ts';

export const closedObject = <Shape extends z.ZodRawShape>(
  shape: () => Shape,
): (() => z.ZodObject<Shape, z.core.$strict>) => lazy(() => z.strictObject(shape()));

/** A tolerant object schema: unknown keys are kept. */
export const looseObject = <Shape extends z.ZodRawShape>(shape: () => Shape): (() => z.ZodObject<Shape>) =>
  lazy(() => z.object(shape()));
