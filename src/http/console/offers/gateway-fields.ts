import type { RailDeclaration } from '../../../domain/gateways/sealed-credentials.js'
import { objectsIn } from '../../../schema/answer-values.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { JsonObject } from '../../../schema/json.js'
import type { ConsoleRequest } from '../console-page.js'

type Flags = readonly FlagDescription[]
type Rails = readonly (readonly [kind: string, rail: RailDeclaration])[]

/** The fields of a gateway, with its kind to choose and a field for each credential that a rail needs. */
export async function gatewayFields(
  flags: Flags,
  { visitor }: ConsoleRequest,
  { kind }: JsonObject,
): Promise<Flags> {
  const rails = Object.entries(await visitor.app.rails())
  const known = typeof kind === 'string' ? rails.filter(([name]) => name === kind) : rails
  return flags.flatMap((flag): Flags => {
    switch (flag.path[0]) {
      case 'kind':
        return [{ ...flag, kind: 'choice', choices: rails.map(([name]) => name), doc: titlesOf(rails) }]
      case 'credentials':
        return credentialFields(known)
      default:
        return [flag]
    }
  })
}

function titlesOf(rails: Rails): string {
  return rails.map(([kind, { title }]) => `${kind}: ${title}`).join('; ')
}

/**
 * A field for each credential. If several kinds of gateways can be chosen, the hint of the field names the kinds that
 * need the credential.
 */
function credentialFields(rails: Rails): Flags {
  const secrets = rails.flatMap(([, rail]) => rail.secrets)
  const names = [...new Set(secrets.map(({ name }) => name))]
  return names.map((name) => {
    const takers = rails.filter(([, rail]) => rail.secrets.some((secret) => secret.name === name))
    const [first] = secrets.filter((secret) => secret.name === name)
    const kinds = rails.length > 1 ? `, for ${takers.map(([kind]) => kind).join(' and ')}` : ''
    return {
      name,
      path: ['credentials', name],
      kind: first?.isPublic ? 'text' : 'secret',
      choices: [],
      required: false,
      doc: `${first?.doc ?? name}${kinds}`,
    }
  })
}

/** The fields of routes, with the gateways to choose from. */
export async function routeFields(flags: Flags, { ask }: ConsoleRequest): Promise<Flags> {
  const answer = await ask('GET', '/admin/gateways', { query: [['fields', 'name']] })
  const names = answer.status === 200 ? objectsIn(answer.body).map(({ name }) => String(name)) : []
  return flags.map((flag) =>
    ['default', 'card', 'bank_account'].includes(flag.path[0] ?? '')
      ? { ...flag, kind: 'choice', choices: names }
      : flag,
  )
}
