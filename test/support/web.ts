import { eventually, type Factory } from './factory.ts';

/** A running `andon web`. */
export interface Served {
  /** The link that is worth something once. */
  readonly link: string;
  readonly origin: string;
  output(): string;
  stop(): Promise<number | null>;
}

/** Starts `andon web` on a port that is free. */
export async function webOf(factory: Factory, ...args: readonly string[]): Promise<Served> {
  const { signal, ended, output } = factory.startWarm(['web', '--port', '0', ...args], factory.folder);
  await eventually(() => /open once: \S+\/in\?token=\S+\n/.test(output()), `it says where: ${output()}`);
  const link = /open once: (\S+)/.exec(output())?.[1] ?? '';
  return {
    link,
    origin: new URL(link).origin,
    output,
    async stop() {
      signal('SIGINT');
      return (await ended).code;
    },
  };
}
