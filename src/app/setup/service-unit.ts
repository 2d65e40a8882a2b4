/** What a service needs to know to run the watchdog of one repository. */
export interface ServicePlan {
  readonly root: string;
  /** Absolute path of Node.js. */
  readonly node: string;
  /** Absolute path of `andon.mjs`. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Seconds that a call under way has to end before the process is killed. */
const STOP_SECONDS = 90;

/** A systemd user unit. A configuration that is wrong (exit code 2) is not tried again, a crash five times in ten minutes. */
export function systemdUnit({ root, node, program, environment }: ServicePlan): string {
  const words = [node, program, 'watch', '--plain', root].map(quoted);
  return [
    '[Unit]',
    `Description=andon watches ${escaped(root)}`,
    'StartLimitIntervalSec=600',
    'StartLimitBurst=5',
    '',
    '[Service]',
    'Type=exec',
    // The colon: no variable is expanded in these words.
    `ExecStart=:${words.join(' ')}`,
    'WorkingDirectory=/',
    ...Object.entries(environment).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    'Restart=on-failure',
    'RestartSec=10',
    'RestartPreventExitStatus=2',
    'KillMode=mixed',
    `TimeoutStopSec=${STOP_SECONDS}`,
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

const quoted = (text: string): string => `"${escaped(text).replaceAll('"', String.raw`\"`)}"`;

/** systemd reads `%` as a specifier and a backslash as the begin of an escape; a control character would end the line. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replaceAll(CONTROL, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);

// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/g;
