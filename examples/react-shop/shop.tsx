import { Card, PayloadInput, PaymentForm } from 'payload-react'
import { type FormEvent, useState } from 'react'
import { render } from 'react-dom'

// The page of the shop. A visitor may change all of it, so the server trusts none of its values. It contains
// no
// price and no card number: the number is typed into a frame of the payment service.

interface Order {
  readonly number: string
  readonly description: string
  readonly amount: string
  readonly clientKey: string
  readonly isPaid: boolean
}

async function ask(method: string, path: string, body?: object): Promise<Order> {
  const response = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.problem)
  return answer
}

function OrderForm({ onOrder }: { readonly onOrder: (order: Order) => void }) {
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { item, quantity } = Object.fromEntries(new FormData(event.currentTarget))
    const order = await ask('POST', '/orders', { item, quantity: Number(quantity) })
    // The address names the order, so that the page can be reloaded.
    history.replaceState(null, '', `?order=${order.number}`)
    onOrder(order)
  }
  return (
    <form onSubmit={submit}>
      <label htmlFor="item">Item</label>
      <select id="item" name="item">
        <option value="coffee">Coffee, 14.99</option>
        <option value="mug">Mug, 8.50</option>
      </select>
      <label htmlFor="quantity">Quantity</label>
      <input id="quantity" name="quantity" type="number" min="1" max="20" defaultValue="1" />
      <button type="submit">Order</button>
    </form>
  )
}

function Payment({ order, onPaid }: { readonly order: Order; readonly onPaid: (order: Order) => void }) {
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const fail = ({ message = 'The payment failed' }: { readonly message?: string }) => {
    setBusy(false)
    setProblem(message)
  }
  const begin = () => {
    setBusy(true)
    setProblem('')
  }
  // The server compares the payment with the order, and captures it.
  const report = ({ transaction_id }: { readonly transaction_id: string }) => {
    ask('POST', `/orders/${order.number}/payment`, { transaction_id }).then(onPaid, fail)
  }
  return (
    <PaymentForm
      clientToken={order.clientKey}
      autoSubmit={false}
      onProcessing={begin}
      onAuthorized={report}
      onDeclined={fail}
      onError={fail}
      onInvalid={fail}
    >
      <p>
        {order.description}: {order.amount} USD
      </p>
      <PayloadInput attr="amount" type="hidden" value={order.amount} />
      <label htmlFor="card">Card</label>
      <Card id="card" />
      <p className="problem" role="alert">
        {problem}
      </p>
      <button type="submit" disabled={isBusy}>
        Pay
      </button>
    </PaymentForm>
  )
}

function Shop({ ordered }: { readonly ordered: Order | undefined }) {
  const [order, setOrder] = useState(ordered)
  return (
    <>
      <h1>Corner Shop</h1>
      {!order && <OrderForm onOrder={setOrder} />}
      {order && !order.isPaid && <Payment order={order} onPaid={setOrder} />}
      <p id="thanks" role="status">
        {order?.isPaid && `Order ${order.number} is paid. Thank you.`}
      </p>
    </>
  )
}

const number = new URLSearchParams(location.search).get('order')
// The server may have lost the order; the page then offers to make a new one.
const ordered = number
  ? await ask('GET', `/orders/${encodeURIComponent(number)}`).catch(() => undefined)
  : undefined
render(<Shop ordered={ordered} />, document.querySelector('#shop'))
