import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { OperatorSettingsRow } from '../../../engine/store/database/tables.js'
import { NotAsSealed } from '../seals/not-as-sealed.js'

/** Id of the only row; an environment without it has the defaults. */
export const SETTINGS_ID = 'operators'

/** Whether a login that is mapped to no operator is nobody, also in a home of its own. Throws `NotAsSealed`. */
export async function requiresMapping(work: Pick<Work, 'tx' | 'sealProblem'>): Promise<boolean> {
  const [row] = await work.tx.run(settings, { id: SETTINGS_ID })
  const problem = await work.sealProblem('operator_settings', SETTINGS_ID, row)
  if (problem !== undefined) throw new NotAsSealed(problem)
  return row?.require_mapping === 1
}

const settings = prepared<{ id: string }, OperatorSettingsRow>((db, param) =>
  db.selectFrom('operator_settings').selectAll().where('id', '=', param('id')),
)
