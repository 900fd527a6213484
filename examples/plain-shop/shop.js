// The page of the shop. A visitor may change all of it, so the server trusts none of its values. It contains
// no
// price and no card number: the number is typed into a frame of the payment service.

/** @type {<T extends Element>(selector: string, kind: new () => T) => T} */
const part = (selector, kind) => {
  const found = document.querySelector(selector)
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}`)
  return found
}

const orderForm = part('#order', HTMLFormElement)
const paymentForm = part('#payment', HTMLFormElement)
const payButton = part('#pay', HTMLButtonElement)
const problem = part('#problem', HTMLElement)

/** @type {(method: string, path: string, body?: object) => Promise<any>} */
const ask = async (method, path, body) => {
  const response = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.problem)
  return answer
}

/** @typedef {{ number: string, description: string, amount: string, clientKey: string, isPaid: boolean }} Order */

/** @type {(order: Order) => void} */
const show = (order) => {
  orderForm.hidden = true
  paymentForm.hidden = order.isPaid
  part('#total', HTMLElement).textContent = `${order.description}: ${order.amount} USD`
  if (order.isPaid) part('#thanks', HTMLElement).textContent = `Order ${order.number} is paid. Thank you.`
}

/** @type {(order: Order) => void} */
const takePayment = (order) => {
  part('#amount', HTMLInputElement).value = order.amount
  Payload(order.clientKey)
  new Payload.Form({ form: paymentForm, autosubmit: false })
    .on('processing', () => {
      payButton.disabled = true
      problem.textContent = ''
    })
    .on('authorized', (event) => {
      // The server compares the payment with the order, and captures it.
      ask('POST', `/orders/${order.number}/payment`, { transaction_id: event.transaction_id })
        .then(show)
        .catch(showProblem)
    })
    .on('declined', showProblem)
    .on('error', showProblem)
    .on('invalid', showProblem)
}

/** @type {(event: { message: string }) => void} */
const showProblem = ({ message }) => {
  payButton.disabled = false
  problem.textContent = message
}

orderForm.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { item, quantity } = Object.fromEntries(new FormData(orderForm))
  const order = await ask('POST', '/orders', { item, quantity: Number(quantity) })
  // The address names the order, so that the page can be reloaded.
  history.replaceState(null, '', `?order=${order.number}`)
  show(order)
  takePayment(order)
})

const number = new URLSearchParams(location.search).get('order')
// The server may have lost the order; the page then offers to make a new one.
const ordered = number && (await ask('GET', `/orders/${encodeURIComponent(number)}`).catch(() => undefined))
if (ordered) {
  show(ordered)
  if (!ordered.isPaid) takePayment(ordered)
}
