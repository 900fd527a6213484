/** Data about a gateway that the domain passes to the check of its configuration. */
export const CHECKED = {
  endpoint: 'http://127.0.0.1:4242/gateways/gw_1/notifications',
  hasMerchants: false,
  takesNumbers: false,
}
