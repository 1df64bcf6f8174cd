/** Headers by which a proxy shows that it forwards a request for somebody else. */
export const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]
