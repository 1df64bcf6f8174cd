export const outside = {
  'linkOver.title': 'This link is over',
  'linkOver.text': 'It was used, has expired, or a newer one took its place.',
  'linkOver.again': 'Ask for another link',

  'signIn.title': 'Sign in',
  'signIn.do': 'Sign in',
  'signIn.forgot': 'Forgot the password?',
  'signIn.noAccount': 'Create an account',
  'signIn.ended.signed-out': 'You are signed out.',
  'signIn.ended.elsewhere': 'Your session has ended. Sign in to go on where you were.',

  'mfa.title': 'Second factor',
  'mfa.text': 'The password is right. Now enter the code that your authenticator app shows.',
  'mfa.code': 'Code',
  'mfa.codeHint': 'Six digits, or one of your recovery codes.',
  'mfa.over': 'Too many wrong codes, or too long ago: sign in again.',
  'mfa.back': 'Another account',

  'signUp.title': 'Create an account',
  'signUp.do': 'Create the account',
  'signUp.name': 'Your name',
  'signUp.organization': 'Organization',
  'signUp.hasAccount': 'Sign in with an account that you have',

  'forgot.title': 'Forgot the password?',
  'forgot.text': 'A link to choose another one is sent to you.',
  'forgot.do': 'Send the link',
  'forgot.sent': 'If the address has an account, the link is on its way.',

  'reset.title': 'Choose a new password',
  'reset.do': 'Set the password',
  'reset.done': 'The password is set, and every session has ended.',

  'verify.title': 'Verify your email address',
  'verify.text': 'Confirm that the address at which you got this link is yours.',
  'verify.do': 'It is mine',
  'verify.done': 'Your address is verified.',
  'verify.on': 'Go on',

  'invitation.title': 'Invitation',
  'invitation.text': 'Join the organization that invited you.',
  'invitation.signInFirst':
    'Sign in with the address that the invitation was sent to, or create an account with it.',
  'invitation.as': 'You are signed in as {{email}}.',
  'invitation.another': 'Use another account',
  'invitation.do': 'Accept the invitation',
  'invitation.done': 'You are a member now.',
  'invitation.on': 'To the organization',

  'link.title': 'Opening the console',
  'link.restart': 'Each start of the service prints a new link, which is good for ten minutes.',
} as const
