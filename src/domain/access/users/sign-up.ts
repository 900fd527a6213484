import { validatedPlain } from '../../../engine/core/write/input.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { OauthUserRow } from '../../../engine/store/database/tables.js'
import type { PlainFields } from '../../../schema/admin-operation.js'
import { email, text } from '../../../schema/field.js'
import type { Registry } from '../../../schema/registry.js'
import type { Input } from '../../../schema/types.js'

/** What a new user fills in. */
const SIGN_UP = {
  business: text({ required: true, max: 100 }),
  industry: text({ required: true, max: 100 }),
  name: text({ max: 100 }),
  email: email({ required: true }),
  password: text({ required: true, max: 200 }),
} satisfies PlainFields

/**
 * Makes an organization, its first processing account, which is incomplete, and the user. Throws `InvalidAttributes`
 * that names what is missing. Spec: "OAuth", the sign-up option.
 */
export async function signUp(work: Work, registry: Registry, input: Input): Promise<OauthUserRow> {
  const { business: name, industry, name: person, email, password } = validatedPlain(registry, SIGN_UP, input)
  const org = await work.create('org', { name, industry, org_type: 'business' })
  const account = await work.create('account', {
    type: 'processing',
    name,
    parent_org_id: org.id,
    processing: { industry },
  })
  await work.change('org', org.id, { primary_processing_id: account.id })
  return await work.create('oauth_user', { org_id: org.id, name: person, email, password })
}
