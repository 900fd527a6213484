/* Script inside a field's frame. The other fields are frames of the same origin, so it can read their values. */
const type = location.pathname.split('/').at(-1)
const session = location.hash.slice(1)
const inputs = [...document.querySelectorAll('input')]

const digitsIn = (text) => text.replace(/\D/g, '')
const hasCheckDigit = (digits) =>
  [...digits].reverse().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0) %
    10 ===
  0

const invalid = (code, message) => ({ type: 'validation_error', code, message })

const numberProblem = (digits, isSent) => {
  if (digits.length < (/^3[47]/.test(digits) ? 15 : 16))
    return isSent ? invalid('incomplete_number', 'Your card number is incomplete.') : undefined
  return hasCheckDigit(digits) ? undefined : invalid('invalid_number', 'Your card number is invalid.')
}

const codeProblem = (digits, isSent) =>
  digits.length < 3 && isSent
    ? invalid('incomplete_cvc', "Your card's security code is incomplete.")
    : undefined

const expiryProblem = (digits, isSent) => {
  if (digits.length < 4)
    return isSent ? invalid('incomplete_expiry', "Your card's expiration date is incomplete.") : undefined
  const [month, year] = [Number(digits.slice(0, 2)), 2000 + Number(digits.slice(-2))]
  if (month < 1 || month > 12)
    return invalid('invalid_expiry_month', "Your card's expiration date is invalid.")
  return new Date(year, month, 1) < new Date()
    ? invalid('invalid_expiry_year_past', "Your card's expiration year is in the past.")
    : undefined
}

const PROBLEMS = { cardNumber: numberProblem, cardCvc: codeProblem, cardExpiry: expiryProblem }

/** Returns the problem of a value; undefined if there is none. An incomplete value is a problem only if `isSent`. */
const problemOf = (of, value, isSent) => PROBLEMS[of](digitsIn(value), isSent)

const tell = (event, more = {}) =>
  parent.postMessage({ ...more, type: event, elementType: type, session }, '*')
/**
 * Reports the state of the inputs to the page. An incomplete value is a problem only in the input `left`, which the
 * payer has left.
 */
const tellChange = (left) => {
  const problems = inputs.map((each) => problemOf(each.name, each.value, each === left && each.value !== ''))
  const number = inputs.find(({ name }) => name === 'cardNumber')
  tell('change', {
    ...(number && { brand: number.value.startsWith('4') ? 'visa' : 'unknown' }),
    empty: inputs.every(({ value }) => value === ''),
    complete: inputs.every(({ name, value }) => problemOf(name, value, true) === undefined),
    error: problems.find((problem) => problem !== undefined),
  })
}
for (const input of inputs) {
  input.addEventListener('input', () => tellChange())
  input.addEventListener('focus', () => tell('focus'))
  input.addEventListener('blur', () => {
    tellChange(input)
    tell('blur')
  })
}

/** Values of all fields of this session, read from their frames. */
const valuesOfSession = () => {
  const values = {}
  for (let at = 0; at < parent.frames.length; at++)
    try {
      const frame = parent.frames[at]
      if (frame.location.hash !== location.hash) continue
      for (const other of frame.document.querySelectorAll('input')) values[other.name] = other.value
    } catch {
      // A frame of another origin.
    }
  return values
}

const flat = (prefix, value, form) => {
  for (const [name, inner] of Object.entries(value ?? {}))
    if (typeof inner === 'object' && inner !== null) flat(`${prefix}[${name}]`, inner, form)
    else if (inner !== undefined && inner !== null) form.set(`${prefix}[${name}]`, String(inner))
}

const tokenize = async ({ key, account, billing_details }) => {
  const values = valuesOfSession()
  for (const of of ['cardNumber', 'cardExpiry', 'cardCvc']) {
    const error = problemOf(of, values[of] ?? '', true)
    if (error) return { error }
  }
  const expiry = digitsIn(values.cardExpiry)
  const form = new URLSearchParams({
    type: 'card',
    'card[number]': digitsIn(values.cardNumber),
    'card[cvc]': values.cardCvc,
    'card[exp_month]': expiry.slice(0, 2),
    'card[exp_year]': `20${expiry.slice(-2)}`,
  })
  flat('billing_details', billing_details, form)
  const headers = {
    authorization: `Bearer ${key}`,
    ...(account === undefined ? {} : { 'stripe-account': account }),
  }
  try {
    const answer = await fetch('/v1/payment_methods', { method: 'POST', headers, body: form })
    const made = await answer.json()
    return answer.ok ? { paymentMethod: made } : { error: made.error }
  } catch {
    return {
      error: {
        type: 'api_connection_error',
        message: 'We are experiencing issues connecting to our payments provider. You have not been charged.',
      },
    }
  }
}

addEventListener('message', async ({ source, data, ports: [port] }) => {
  if (source !== parent) return
  if (data?.stripe === 'focus') inputs[0].focus()
  if (data?.stripe === 'clear') {
    for (const input of inputs) input.value = ''
    tellChange()
  }
  if (data?.stripe === 'tokenize') port.postMessage(await tokenize(data))
})
tell('ready')
