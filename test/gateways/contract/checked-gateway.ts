/** What the domain says of a gateway that is checked. */
export const CHECKED = {
  endpoint: 'http://127.0.0.1:4242/gateways/gw_1/notifications',
  hasMerchants: false,
  takesNumbers: false,
}
