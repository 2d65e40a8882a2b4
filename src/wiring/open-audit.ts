import { join } from 'node:path';
import { auditLog, type AuditLog } from '../adapters/audit/audit-log.ts';
import type { Workspace } from './load-workspace.ts';

/** What the rules of this repository wrote down. */
export const openAudit = ({ state }: Pick<Workspace, 'state'>): AuditLog => auditLog(join(state, 'audit'));
