import type { Credentials, RemoteGateway } from '../contract.js'
import type { ConnectionOptions } from './connected-gateway.js'

/** A configured gateway as it is connected to. */
interface ConnectedConfiguration extends Pick<Credentials, 'environment' | 'secrets'> {
  readonly name: string
  /** The rail. */
  readonly kind: string
  /** Address of the rail; null for its usual address. */
  readonly baseUrl: string | null
  readonly merchant: string | null
  /** Further merchants to which routes lead. */
  readonly merchants: readonly string[]
}

/** Makes gateways of their configuration. The registry of rails is loaded with the first. */
export function gatewayConnector(effects: Omit<ConnectionOptions, 'name' | 'credentials'>) {
  return async (configuration: ConnectedConfiguration): Promise<RemoteGateway> => {
    const { name, kind, environment, baseUrl, secrets, merchant, merchants } = configuration
    const [{ rails }, { connectGateway }] = await Promise.all([
      import('./rails.js'),
      import('./connected-gateway.js'),
    ])
    const entry = rails[kind]
    if (!entry) throw new Error(`There is no rail ${kind}, which the gateway ${name} needs`)
    const credentials = {
      environment,
      secrets,
      merchant: merchant ?? undefined,
      ...(merchants.length > 0 && { merchants }),
      baseUrl: baseUrl ?? entry.baseUrl?.[environment] ?? '',
    }
    return await connectGateway(entry, { name, credentials, ...effects })
  }
}
