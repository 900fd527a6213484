/** Status codes of declined operations that no bank has decided on: the gateway was not reached or took nothing. */
export const OUTAGE_CODES: readonly string[] = ['gateway_unavailable', 'gateway_misconfigured', 'never_sent']
