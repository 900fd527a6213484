import type { Credentials, RemoteGateway } from '../contract.js'
import type { ConnectionOptions } from './connected-gateway.js'

/** Configuration of a gateway, as far as a connection needs it. */
interface ConnectedConfiguration extends Pick<Credentials, 'environment' | 'secrets'> {
  readonly name: string
  /** Name of the rail. */
  readonly kind: string
  /** Address of the processor; null for the rail's usual address. */
  readonly baseUrl: string | null
  readonly merchant: string | null
  /** Further merchants that routes (`gateways route`) name. */
  readonly merchants: readonly string[]
}

/**
 * Returns a function that connects a configured gateway. The registry of rails is loaded at the first connection.
 * Throws for a rail that does not exist.
 */
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
