import { join } from 'node:path';
import { auditLog, type AuditLog } from './audit-log.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';

/** What the rules of this repository wrote down. */
export const openAudit = ({ state }: Pick<Workspace, 'state'>): AuditLog => auditLog(join(state, 'audit'));
