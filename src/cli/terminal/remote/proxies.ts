import type { Proxies } from '../../../platform/network/proxied-network.js'
import { UsageError } from '../failure/failure.js'
import type { Variables } from '../input/platform-home.js'

/** Matches hosts of this machine, for which no proxy is used. */
export const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** A proxy that a variable names. */
interface NamedProxy {
  readonly variable: string
  readonly address: string
}

/**
 * The proxies for an address, from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; names in lower case take
 * precedence. Undefined if no proxy is named, and for this machine. Throws a `UsageError` for a proxy that
 * is no address.
 */
export function proxiesFor({ hostname }: URL, variables: Variables): Proxies | undefined {
  const http = proxyIn(variables, 'HTTP_PROXY')
  const https = proxyIn(variables, 'HTTPS_PROXY')
  if (LOCAL.test(hostname) || (!http && !https)) return undefined
  return {
    http: http?.address,
    https: https?.address,
    except: variables.no_proxy || variables.NO_PROXY,
  }
}

/** Name of an address's proxy for errors: its variable and its host, without a password. */
export function proxyNamed(origin: URL, variables: Variables): string | undefined {
  const found =
    (origin.protocol === 'https:' ? proxyIn(variables, 'HTTPS_PROXY') : undefined) ??
    proxyIn(variables, 'HTTP_PROXY')
  return found && `${new URL(found.address).host} (${found.variable})`
}

function proxyIn(variables: Variables, upper: string): NamedProxy | undefined {
  const variable = [upper.toLowerCase(), upper].find((name) => variables[name])
  const given = variable && variables[variable]
  if (!given) return undefined
  // The scheme may be omitted, because other programs accept such an address, too.
  const address = given.includes('://') ? given : `http://${given}`
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return { variable, address }
  throw new UsageError(`Expected an address such as http://proxy.example.com:3128 in ${variable}`)
}
