/** Facts about a configured gateway, as the domain passes them to `Rail.check`. */
export const CHECKED = {
  endpoint: 'http://127.0.0.1:4242/gateways/gw_1/notifications',
  hasMerchants: false,
  takesNumbers: false,
}
