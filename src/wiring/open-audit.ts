import { join } from 'node:path';
import { auditLog } from '../adapters/audit/audit-log.ts';
import type { AuditLog } from '../ports/audit.ts';
import type { Workspace } from './load-workspace.ts';

/** What the rules of this repository wrote down. */
export const auditOf = ({ state }: Pick<Workspace, 'state'>): AuditLog => auditLog(join(state, 'audit'));
