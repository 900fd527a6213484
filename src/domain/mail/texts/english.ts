import type { MailTexts } from './mail-texts.js'

export const MAIL_IN_ENGLISH: MailTexts = {
  tag: 'en-US',
  testNotice: 'This is a test. No money was moved.',
  footer: (merchant) => `Sent on behalf of ${merchant}.`,
  answers: 'Questions? Reply to this message.',
  unsubscribe: 'Stop reminders like this one',
  labels: {
    amount: 'Amount',
    surcharge: 'Surcharge',
    total: 'Total',
    date: 'Date',
    method: 'Paid with',
    reference: 'Reference',
    order: 'Order',
    description: 'Description',
    invoice: 'Invoice',
    due: 'Due',
    amountDue: 'Amount due',
    paid: 'Paid so far',
    expires: 'Expires',
  },
  receipt: {
    subject: {
      payment: (merchant) => `Receipt for your payment to ${merchant}`,
      refund: (merchant) => `Refund from ${merchant}`,
      credit: (merchant) => `Credit from ${merchant}`,
    },
    text: {
      payment: (amount, merchant) => `Thank you. You paid ${amount} to ${merchant}.`,
      refund: (amount, merchant) => `${merchant} has refunded ${amount} to you.`,
      credit: (amount, merchant) => `${merchant} has paid ${amount} to you.`,
    },
    button: 'See the receipt',
  },
  invoice: {
    subject: (number, merchant) => `Invoice ${number} from ${merchant}`,
    text: (merchant, amount) => `${merchant} has sent you an invoice. ${amount} is due.`,
    automatic: (date, method) => `It is charged to ${method} on ${date}; you need not do anything.`,
    button: 'See and pay the invoice',
  },
  reminder: {
    subject: (amount, date, merchant) => `${amount} is due to ${merchant} on ${date}`,
    text: (amount, date) => `A reminder: ${amount} is due on ${date}.`,
    button: 'Pay now',
  },
  failedPayment: {
    subject: (merchant) => `Your payment to ${merchant} did not go through`,
    text: (amount, method) => `We could not charge ${amount} to ${method}.`,
    noMethod: (amount) => `We could not charge ${amount} to your payment method.`,
    next: 'Please pay with another card or account.',
    button: 'Pay now',
    replace: 'Replace the card on file',
  },
  expiringCard: {
    subject: (merchant) => `Your card on file with ${merchant} expires soon`,
    text: (method, month) => `${method}, which is charged automatically, expires at the end of ${month}.`,
    next: (merchant) => `Please give ${merchant} a new card before then, so that no payment fails.`,
    button: 'Give a new card',
  },
  paymentLink: {
    subject: (amount, merchant) => `Pay ${amount} to ${merchant}`,
    text: (merchant, amount) => `${merchant} asks you to pay ${amount}.`,
    button: 'Pay now',
  },
  dispute: {
    label: 'Dispute',
    subject: {
      inquiry: (amount, merchant) => `${merchant}: a bank inquires about ${amount}`,
      needs_response: (amount, merchant) => `${merchant}: ${amount} is disputed`,
      due: (amount, merchant) => `${merchant}: answer the dispute of ${amount} soon`,
      won: (amount, merchant) => `${merchant}: the dispute of ${amount} is won`,
      lost: (amount, merchant) => `${merchant}: the dispute of ${amount} is lost`,
    },
    text: {
      inquiry: (amount) => `The bank of a payer inquires about a payment of ${amount}. No money has moved.`,
      needs_response: (amount) =>
        `The bank of a payer has taken back ${amount}. You can submit evidence once, in time.`,
      due: (amount) =>
        `Evidence against the dispute of ${amount} has to be there soon, and none was submitted.`,
      won: (amount) => `The bank has decided for you: ${amount} stays with you.`,
      lost: (amount) => `The bank has decided for the payer: ${amount} stays with the payer.`,
    },
  },
  methodLink: {
    subject: (merchant) => `Save a way to pay ${merchant}`,
    text: (merchant) =>
      `${merchant} asks you to save a card or bank account, which is charged when something is due.`,
    button: 'Save a card or bank account',
  },
  test: { subject: 'Mail works', text: 'This message says that mail is set up.' },
}
