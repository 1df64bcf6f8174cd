export const outside = {
  'linkOver.title': 'Ce lien n’est plus valable',
  'linkOver.text': 'Il a été utilisé, a expiré, ou un plus récent l’a remplacé.',
  'linkOver.again': 'Demander un autre lien',

  'signIn.title': 'Connexion',
  'signIn.do': 'Se connecter',
  'signIn.forgot': 'Mot de passe oublié ?',
  'signIn.noAccount': 'Créer un compte',
  'signIn.ended.signed-out': 'Vous êtes déconnecté.',
  'signIn.ended.elsewhere': 'Votre session a pris fin. Connectez-vous pour reprendre là où vous en étiez.',

  'mfa.title': 'Second facteur',
  'mfa.text':
    'Le mot de passe est correct. Saisissez maintenant le code qu’affiche votre application d’authentification.',
  'mfa.code': 'Code',
  'mfa.codeHint': 'Six chiffres, ou l’un de vos codes de secours.',
  'mfa.over': 'Trop de codes erronés, ou délai dépassé : connectez-vous à nouveau.',
  'mfa.back': 'Utiliser un autre compte',

  'signUp.title': 'Créer un compte',
  'signUp.do': 'Créer le compte',
  'signUp.name': 'Votre nom',
  'signUp.organization': 'Organisation',
  'signUp.hasAccount': 'Se connecter avec un compte existant',

  'forgot.title': 'Mot de passe oublié ?',
  'forgot.text': 'Un lien pour en choisir un autre vous sera envoyé.',
  'forgot.do': 'Envoyer le lien',
  'forgot.sent': 'Si un compte existe à cette adresse, le lien vient d’y être envoyé.',

  'reset.title': 'Choisir un nouveau mot de passe',
  'reset.do': 'Définir le mot de passe',
  'reset.done': 'Le mot de passe est défini, et toutes les sessions ont pris fin.',

  'verify.title': 'Vérifier votre adresse e-mail',
  'verify.text': 'Confirmez que l’adresse qui a reçu ce lien est la vôtre.',
  'verify.do': 'C’est la mienne',
  'verify.done': 'Votre adresse est vérifiée.',
  'verify.on': 'Continuer',

  'invitation.title': 'Invitation',
  'invitation.text': 'Rejoignez l’organisation qui vous a invité.',
  'invitation.signInFirst':
    'Connectez-vous avec l’adresse qui a reçu l’invitation, ou créez un compte avec elle.',
  'invitation.as': 'Vous utilisez le compte {{email}}.',
  'invitation.another': 'Utiliser un autre compte',
  'invitation.do': 'Accepter l’invitation',
  'invitation.done': 'Vous êtes maintenant membre.',
  'invitation.on': 'Aller à l’organisation',

  'link.title': 'Ouverture de la console',
  'link.restart': 'Chaque démarrage du service affiche un nouveau lien, valable dix minutes.',
}
