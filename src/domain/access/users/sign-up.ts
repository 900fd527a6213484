import { validatedPlain } from '../../../engine/core/write/input.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { OauthUserRow } from '../../../engine/store/database/tables.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import type { PlainFields } from '../../../schema/admin-operation.js'
import { email, text } from '../../../schema/field.js'
import type { Input } from '../../../schema/types.js'
import { checkPassword, hashPassword } from '../sign-in/password.js'

/** Fields of the form for a new user. */
const SIGN_UP = {
  business: text({ required: true, max: 100 }),
  industry: text({ required: true, max: 100 }),
  name: text({ max: 100 }),
  email: email({ required: true }),
  password: text({ required: true, max: 200 }),
} satisfies PlainFields

/** Checked fields of a new user, with the password as a hash only. */
export interface NewUser {
  readonly filledIn: Input
  readonly passwordHash: string
}

/** Checks the fields and hashes the password, before any unit of work. Throws `InvalidAttributes`. */
export async function newUserOf(input: Input, random: Random): Promise<NewUser> {
  const { password, ...filledIn } = validatedPlain(SIGN_UP, input)
  const text = String(password)
  checkPassword(text)
  return { filledIn, passwordHash: await hashPassword(text, random) }
}

/**
 * Makes an organization, its first processing account, which is incomplete, and the user. Throws `InvalidAttributes`
 * when there is a user with the e-mail address. Spec: "OAuth", the sign-up option.
 */
export async function signUp(work: Work, { filledIn, passwordHash }: NewUser): Promise<OauthUserRow> {
  const { business: name, industry, name: person, email } = filledIn
  const org = await work.create(resources.org, { name, industry, org_type: 'business' })
  const account = await work.create(resources.account, {
    type: 'processing',
    name,
    parent_org_id: org.id,
    processing: { industry },
  })
  await work.change(resources.org, org.id, { primary_processing_id: account.id })
  const { id } = await work.create(resources.oauth_user, { org_id: org.id, name: person, email })
  return await work.change(resources.oauth_user, id, { password_hash: passwordHash })
}
