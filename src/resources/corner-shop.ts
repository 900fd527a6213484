/** A processing account that meets all requirements, as an example for the reference. */
export const cornerShop = {
  name: 'Corner Shop',
  processing: { industry: 'groceries' },
  legal_entity: {
    legal_name: 'Corner Shop LLC',
    type: 'LIMITED_LIABILITY_COMPANY',
    ein: '12-3456789',
    phone_number: '212 555 0100',
    street_address: '1 Main Street',
    city: 'New York',
    state_province: 'NY',
    postal_code: '10001',
    state_incorporated: 'NY',
    owners: [
      {
        full_name: 'Grace Park',
        title: 'Owner',
        ownership: 100,
        birth_date: '1980-01-31',
        ssn: '123-45-6789',
        email: 'grace@example.com',
        phone_number: '212 555 0101',
        street_address: '1 Main Street',
        city: 'New York',
        state_province: 'NY',
        postal_code: '10001',
      },
    ],
  },
  payment_methods: [
    {
      type: 'bank_account',
      bank_account: {
        account_number: '9876543210',
        routing_number: '021000021',
        account_type: 'checking',
        account_class: 'business',
      },
    },
  ],
} as const
