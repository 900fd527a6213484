/** Name of the option in warnings while gateways may be on this machine. */
export const LOOPBACK_GATEWAYS = 'gateways on this machine (for tests)'

/** Whether gateways may be on this machine, over plain http and with credentials of any mode. */
export function allowsLoopback(env: NodeJS.ProcessEnv): boolean {
  return env['PAYCTL_GATEWAY_LOOPBACK'] === '1'
}
