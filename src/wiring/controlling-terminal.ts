export {
  isInForeground,
  mayWriteToTerminal,
  wasToldToIgnoreHangUp,
} from '../adapters/processes/controlling-terminal.ts';
