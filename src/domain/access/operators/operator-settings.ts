import type { AdminRules } from '../../../engine/core/write/rule.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { OperatorSettingsRow } from '../../../engine/store/database/operator-rows.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import { NotAsSealed } from '../seals/not-as-sealed.js'
import { expectOwner } from './last-owner.js'

/** Id of the only row; an environment without it has the defaults. */
const ID = 'operators'

export const operatorSettingsRules: Pick<AdminRules, 'read_operator_settings' | 'set_operator_settings'> = {
  read_operator_settings: {
    perform: async (work) => answerOf(await findSettings(work)),
  },
  set_operator_settings: {
    async perform(work, { require_mapping: required }) {
      const row = { require_mapping: required === 1 ? 1 : 0, since: work.realNow }
      await work.tx.db
        .insertInto('operator_settings')
        .values({ id: ID, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute()
      if (required === 1) await expectOwner(work)
      return answerOf(row)
    },
  },
}

/**
 * Whether a login that is mapped to no operator has no access, even to its own home directory. Throws `NotAsSealed`.
 */
export async function requiresMapping(work: Pick<Work, 'tx' | 'sealProblem'>): Promise<boolean> {
  const row = await findSettings(work)
  const problem = await work.sealProblem('operator_settings', ID, row)
  if (problem !== undefined) throw new NotAsSealed(problem)
  return row?.require_mapping === 1
}

async function findSettings({ tx }: Pick<Work, 'tx'>): Promise<OperatorSettingsRow | undefined> {
  const [row] = await tx.run(settings, { id: ID })
  return row
}

function answerOf(row: Omit<OperatorSettingsRow, 'id'> | undefined) {
  return { require_mapping: row?.require_mapping ?? 0, since: row?.since ?? null }
}

const settings = prepared<{ id: string }, OperatorSettingsRow>((db, param) =>
  db.selectFrom('operator_settings').selectAll().where('id', '=', param('id')),
)
