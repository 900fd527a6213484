/** Values of a form that its page may see, as attributes of a payment or of a payment method; plain JavaScript. */
export const PAGE_VALUES = `
/** Attributes of a payment method that an input may name without payment_method before them. */
const OF_A_METHOD = ['account_holder', 'billing_address', 'keep_active', 'default_payment_method', 'phone_number']

/** The path of an attribute that an input names: in a payment, 'billing_address[postal_code]' belongs to its method. */
function attributePath(name, path) {
  const parts = name.split(/[[\\]]+/).filter((part) => part !== '')
  const whole = parts[0] === 'account_type' ? ['bank_account', ...parts] : parts
  if (path === 'payment_methods') return whole[0] === 'payment_method' ? whole.slice(1) : whole
  if (whole[0] === 'payment') return whole.slice(1)
  return OF_A_METHOD.includes(whole[0]) || whole[0] === 'bank_account' ? ['payment_method', ...whole] : whole
}

function put(object, [name, ...rest], value) {
  if (rest.length === 0) object[name] = value
  else put((object[name] = { ...object[name] }), rest, value)
}

/** Inputs of a form that the page reads, with the paths of their attributes. */
function inputsOf(form, path) {
  return [...form.querySelectorAll('[pl-input]')]
    .filter((element) => !Object.hasOwn(SECURE, nameOf(element)) && nameOf(element) !== '')
    .map((element) => [element, attributePath(nameOf(element), path)])
}

/** The body of a request, from the inputs besides the secure fields. */
function bodyOf(form, path, { payment, payment_method }) {
  const body = path === 'transactions' ? { ...payment } : { ...payment_method }
  if (path === 'transactions' && payment_method) body.payment_method = { ...body.payment_method, ...payment_method }
  for (const [element, at] of inputsOf(form, path)) {
    const { type, checked } = element
    if (element.disabled || ((type === 'checkbox' || type === 'radio') && !checked)) continue
    const value = String(element.value ?? '').trim()
    if (value !== '') put(body, at, at.at(-1) === 'amount' ? value.replace(/,(?=\\d{3}(\\D|$))/g, '') : value)
  }
  return JSON.parse(JSON.stringify(body))
}

/** The problem of an attribute in the details of an error; undefined for none. */
function problemAt(details, at) {
  const found = at.reduce((value, name) => value?.[name], details)
  return typeof found === 'string' ? found : undefined
}
`
