/**
 * Status codes of declined operations that no bank has decided, because the gateway was not reached or
 * accepted no request.
 */
export const OUTAGE_CODES: readonly string[] = ['gateway_unavailable', 'gateway_misconfigured', 'never_sent']
