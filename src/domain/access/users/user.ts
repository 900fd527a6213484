import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../../engine/core/write/work.js'
import { waitForName } from '../../../engine/store/database/differences.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import type { InputFor } from '../../../schema/types.js'
import { withHashedPassword } from '../sign-in/password.js'

/** Rule of OAuth users: one for each e-mail address, with a password stored only as a hash. */
export function oauthUserRule(random: Random): Rule<typeof resources.oauth_user> {
  return {
    prepare: (input) => withHashedPassword(input, random),
    async create(work, input) {
      const email = await freeEmail(work, input, undefined)
      const row = await work.createPlainly(resources.oauth_user, { ...input, ...email })
      return await work.change(resources.oauth_user, row.id, passwordColumns(input))
    },
    async update(work, row, input) {
      const email = await freeEmail(work, input, row.id)
      await work.updatePlainly(resources.oauth_user, row, { ...input, ...email })
      return await work.change(resources.oauth_user, row.id, passwordColumns(input))
    },
  }
}

type UserInput = InputFor<typeof resources.oauth_user>

/** The address as it is stored, in small letters. Throws `InvalidAttributes` when another user has the address. */
async function freeEmail(
  work: Work,
  { email: given }: UserInput,
  id: string | undefined,
): Promise<{ email?: string }> {
  if (!given) return {}
  const email = given.toLowerCase()
  // Two concurrent requests would not see each other's row.
  await waitForName(work.tx, `user ${email}`)
  const known = await work.findBy(resources.oauth_user, 'email', email)
  if (known.some((each) => each.id !== id))
    throw invalidAttributes({ email: 'There is a user with it already' })
  return { email }
}

function passwordColumns({ password }: UserInput) {
  if (password === undefined || password === null) return {}
  return { password_hash: password }
}
