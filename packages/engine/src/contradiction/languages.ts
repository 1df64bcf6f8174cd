/**
 * What the comparison of two texts knows of a language, in as few words as tell statements apart: how it says no, counts,
 * and names opposites. A language that is not here still has its digits, units, names and places of words compared.
 */
export interface Language {
  readonly script:
    | 'Latin'
    | 'Cyrillic'
    | 'Greek'
    | 'Arabic'
    | 'Hebrew'
    | 'Devanagari'
    | 'Han'
    | 'Kana'
    | 'Hangul'
    | 'Thai'
  /** Words by which a text of its script is known to be in it: frequent ones that others don't have. */
  readonly common: string
  /** Verbs in the singular that follow a name. */
  readonly verbs?: string
  /**
   * Words for two to nineteen, in order, each with its forms; further where those for tens and units are no compounds. With
   * `-` behind it is how a word begins before another part or an ending alone.
   */
  readonly numbers: string
  /** Twenty, thirty to ninety, then a hundred and a thousand, and two thousand where that is a word of its own. */
  readonly tens: string
  /** How tens and units make one numeral: `t` stands for the tens, `u` for the units, in their order. */
  readonly tensWithUnits?: string
  /** How the end of a word for a number changes with its place in a sentence: what goes, `>`, what comes. */
  readonly numberEndings?: string
  /** Two hundred to nine hundred, where each is a word of its own. */
  readonly hundreds?: string
  /** Words for one; they also stand where nothing is counted, such as articles. */
  readonly one: string
  /** Words that count without being numbers, from one: of order, and how often. */
  readonly ordinals?: string
  /** Words that say no; with `*` how words begin, with `*` in front how they end. */
  readonly negations: string
  /** What a verb begins with beside these, where it says no as well. */
  readonly negativePrefix?: string
  /** Words that may come with these, as in "no longer", and add nothing that the text without them has not. */
  readonly besideNegations?: string
  /** Words that say no behind a verb in speech, where nothing but an article, a preposition or the end of the sentence follows. */
  readonly spokenNegations?: string
  /** Phrases with words of the lists in them that say no such thing. */
  readonly affirmations?: string
  /** Phrases that say no although their words are among those of the affirmations; `…` stands for up to four words. */
  readonly denials?: string
  /** Groups of words of which one excludes the others. */
  readonly opposites: string
  /** Groups of these in which each says of two what the other says of them the other way round: buying and selling. */
  readonly converses?: string
  /** Common names of people and towns, where capitals don't tell names. */
  readonly names?: string
  /** What stands before a name, and after one, where another name is then another statement. */
  readonly beforeNames?: string
  readonly afterNames?: string
  /** Words that join what is said of several alike. */
  readonly and: string
  /** Whether names change their ends with their place in a sentence. */
  readonly inflects?: boolean
  /** Words for a half of what is behind them, then, after `~`, for one and a half. */
  readonly half?: string
  /** Words for noon, then, after `~`, for midnight. */
  readonly noonAndMidnight?: string
  /** Words for what was and is no more. */
  readonly formerly?: string
  /** How words of the past end, or stand together, as the source of a regular expression; undefined where verbs have no past. */
  readonly past?: string
  /** Words before which a passive has its verb, `~`, and those before, or with `*` behind, the one who does it. */
  readonly passive?: string
  /** Articles and possessives, which stand before a noun and say nothing of its role. */
  readonly determiners?: string
}

/**
 * In the lists forms of one thing stand with `|` between, things that exclude one another with `~`, groups with `;`. A
 * form ending in `*` stands for all words that begin so. All forms are in lower case, with accents.
 */
export const languages: Readonly<Record<string, Language>> = {
  en: {
    script: 'Latin',
    common:
      'do|does|did|but|not|be|will|would|can|into|from|there|their|its|by|me|him|us|them|owe|owes|than|the|a|an|and|is|are|was|of|to|in|my|i|he|she|it|on|at|for|with|his|her|we|they|you|has|have|that|this',
    verbs:
      'is|has|was|does|works|lives|loves|likes|hates|owes|wants|needs|drinks|eats|owns|drives|plays|speaks|studies|teaches|knows|takes|uses',
    numbers:
      'two|couple of;three;four;five;six;seven;eight;nine;ten;eleven;twelve|dozen;thirteen;fourteen;fifteen;sixteen;seventeen;eighteen;nineteen',
    tens: 'twenty;thirty;forty;fifty;sixty;seventy;eighty;ninety;hundred;thousand',
    one: 'one|a|an',
    ordinals:
      'first|once;second|twice;third|thrice;fourth;fifth;sixth;seventh;eighth;ninth;tenth;eleventh;twelfth;thirteenth;fourteenth;fifteenth;sixteenth;seventeenth;eighteenth;nineteenth;twentieth',
    negations: 'not|no|never|none|nobody|nothing|neither|nor|without|nowhere',
    besideNegations: 'longer|any|anymore',
    affirmations:
      'not only|not just|no doubt|no matter|nothing but|no problem|at least|at most|as little as|no one but|nobody but|none but|no one except|nobody except',
    opposites:
      'like|likes|liked|love|loves|loved|enjoy*|adore*|fond~hate|hates|hated|dislike*|detest*|loathe*|despise*;allow*|permit*|legal|lawful~forbid*|forbade|prohibit*|banned|ban|bans|illegal|unlawful;on|enabled|enable|enables|active|activated~off|disabled|disable|disables|inactive|deactivated;open|opens|opened~closed|close|closes|shut|shuts;left~right;more~less|fewer;increase*|rise|rises|rose|raise*|grew~decrease*|fall|falls|fell|drop|drops|dropped|reduce*|lower*;up~down;accept*|approve*|agree*~refuse*|reject*|decline*|disapprove*|denied|deny|denies;win|wins|won~lose|loses|lost;pass|passes|passed~fail|fails|failed;morning~afternoon~evening|last night~night;hot|warm~cold|cool;start*|begin*|began~stop*|end|ends|ended|quit;true~false;arrive*|enter*|came~leave|leaves|left|exit*|departs;man|men~woman|women;boy|boys~girl|girls;brother*~sister*;father|dad~mother|mum|mom;son|sons~daughter*;husband~wife;uncle~aunt;alive~dead;safe~dangerous|unsafe;early~late;high~low;big|large|tall~small|little|short;good~bad;easy~hard|difficult;full~empty;dark~light|bright;black~white~red~blue~green~yellow~brown|grey|gray~orange~purple~pink;north*~south*~east*~west*;first~second~third~last;breakfast~lunch~dinner;spring~summer~autumn|fall~winter;positive~negative;public~private;yes~no;inside~outside;today~tomorrow~yesterday;male~female;minimum|least~maximum|most;in~out;remember*~forget*|forgot;married~divorced~single;guilty~innocent;employed~unemployed;love~hate;rarely|seldom|infrequently~often|frequently|usually|always;praise*|commend*~criticis*|criticiz*|scold*|blame*;few~many;upstairs~downstairs;noon|midday~midnight;vegetarian*|vegan*~meat eater*;heavy|heavily~lightweight;rich|wealthy~poor;strong|stronger~weak|weaker;fast|quick|quickly~slow|slowly;thick|thicker~thin|thinner;wide|wider~narrow|narrower;clean~dirty;wet~dry;sweet~salty~sour~bitter;loud|loudly|noisy~quiet|quietly|silent;cheap~expensive|costly;happy|glad~sad|unhappy|miserable;hired|hires|hire|hiring~fired|fires|dismiss*|sacked;healthy|recovered|recovers~ill|sick;beautiful|pretty~ugly;awake~asleep;succeed*~fail|fails|failed;push|pushes|pushed|pushing~pull|pulls|pulled|pulling;laugh*~cry|cries|cried|crying|weep*|wept;friend|friends~enemy|enemies;ancient~modern;won~drew;polite*~rude*;brave*~cowardly;honest~liar|dishonest;generous~stingy|mean;optimis*~pessimis*;expand*~shrink*|shrank|shrunk;victory~defeat;buyer*~seller*;landlord*~tenant*;ascend*~descend*;profit|profits~loss|losses;deep~shallow;sharp~blunt;gain|gained|gains~lose|loses|lost;attack*~defend*;temporary|temporarily~permanent|permanently;sunny~rainy|cloudy;wealth~poverty;optional~mandatory|compulsory|obligatory|required;only~everyone but|everybody but|everyone except|everybody except|all but|all except;can|could|able|possible~unable|incapable|impossible',
    converses:
      'before~after;buy|buys|bought|purchase*~sell|sells|sold;borrow*~lend|lends|lent|let me borrow|let us borrow|let him borrow|let her borrow|let them borrow|let you borrow|lets me borrow|lets us borrow|lets him borrow|lets her borrow|lets them borrow|lets you borrow|letting me borrow|letting us borrow|letting him borrow|letting her borrow|letting them borrow|letting you borrow;give|gives|gave~take|takes|took;above~below;over~under;older|elder~younger;taller~shorter;bigger|larger~smaller;faster~slower;heavier~lighter;richer~poorer;stronger~weaker;better~worse;longer than~shorter than;cheaper~dearer|costlier;teach|teaches|taught~learn|learns|learned|learnt',
    beforeNames:
      'work at|works at|work for|works for|live in|lives in|living in|lived in|moved to|named|called|name is',
    and: 'and|or|&',
    determiners: 'the|a|an|my|your|his|her|its|our|their',
    passive: 'is|are|am|was|were|be|been|being|got|gets|get~by',
    half: 'half',
    noonAndMidnight: 'noon|midday~midnight',
  },
  fr: {
    script: 'Latin',
    common:
      'ne|dois|doit|me|m|sait|suis|sommes|sont|fait|avec|peut|veut|se|ce|cette|notre|nos|votre|leur|le|la|les|de|des|du|un|une|et|est|je|il|elle|mon|ma|mes|à|au|en|dans|sur|pour|que|qui|son|sa|ses|nous|vous|j|l|d|c|n|chez',
    verbs: 'est|a|habite|vit|aime|doit|travaille|deteste|boit|mange|joue|parle|etudie|possede|porte|connait',
    numbers:
      'deux;trois;quatre;cinq;six;sept;huit;neuf;dix;onze;douze;treize;quatorze;quinze;seize;dix-sept|dix sept;dix-huit|dix huit;dix-neuf|dix neuf',
    tens: 'vingt|vingts;trente;quarante;cinquante;soixante;septante;huitante|octante|quatre vingt|quatre vingts;nonante;cent|cents;mille',
    one: 'un|une',
    ordinals:
      'premier*;deuxième*|second;troisième*;quatrième*;cinquième*;sixième*;septième*;huitième*;neuvième*;dixième*;onzième*;douzième*',
    // The first one is put in the place of a denial.
    negations: 'jamais|pas|aucun|aucune|rien|guère|sans|ni|nul|nulle|non|personne ne|personne n',
    besideNegations: 'du|tout|encore',
    spokenNegations: 'plus',
    denials: 'ne … plus|n … plus',
    affirmations:
      'au moins|tout au plus|plus de|plus que|de plus|pas seulement|non seulement|sans doute|pas mal|pas à pas|un pas|premier pas|deux pas|quelques pas',
    opposites:
      'je dois~me doit;je prête|j ai prêté~me prête|m a prêté;je paie|j ai payé~me paie|m a payé;aim*|ador*|apprécie*~détest*|hai*|hais|déplaî*|déplai*|horreur;permis*|autoris*|légal*~interdi*|défendu*|prohib*|illégal*;allum*|activ*~éteint*|éteins|désactiv*;ouvr*|ouvert*~ferm*;gauche~droite;plus~moins;augment*|mont*~diminu*|baiss*|descend*;accept*|approuv*~refus*|rejet*|désapprouv*;gagn*~perd*;matin~après-midi~soir~nuit;chaud*~froid*;commenc*|début*~arrêt*|fin|termin*|finit|cess*;vrai*~faux|fausse;arriv*|entr*~part|pars|parti*|sort*;homme*~femme*;garçon*~fille*;frère*~sœur*|soeur*;père~mère;fils~fille*;mari~épouse|femme;oncle~tante;vivant*~mort*;tôt~tard;haut*~bas|basse;grand*~petit*;bon|bonne|bien~mauvais*|mal;facile*~difficile*;plein*~vide*;noir*~blanc*~rouge*~bleu*~vert*~jaune*~marron|gris*~orange~violet*~rose;nord~sud~est~ouest;premier*|première~deuxième~troisième~dernier*|dernière;petit-déjeuner~déjeuner~dîner;printemps~été~automne~hiver;positi*~négati*;dedans~dehors;hier~demain~aujourd;marié*~divorcé*~célibataire;rarement~souvent|toujours|fréquemment;félicit*|louang*|complimen*~critiqu*|grond*|réprimand*|blâm*;réussi|réussie|réussis|réussit|réussissent|réussir|reçu~raté|ratée|ratent|rate|rater|échou*;peu de~beaucoup de;en haut~en bas;midi~minuit;guéri|guérie|guérit~malade|tombé malade|tombée malade;riche|riches~pauvre|pauvres;fort|forte~faible|faibles;rapide|rapides|vite|rapidement~lent|lente|lents|lentement;lourd|lourde|lourds|lourdes~léger|légère|légers;épais|épaisse~mince|fin;large|larges~étroit*;propre|propres~sale|sales;mouillé*|humide|humides~sec|sèche|secs|sèches;sucré|sucrée~salé|salée~amer|amère~acide;bruyant*~silencieu*|calme;cher|chère|chers|chères~bon marché|pas cher|peu cher;heureux|heureuse|content*~triste|tristes|malheureu*;embauch*|engag*~licenci*|renvoy*|viré*;beau|belle|beaux~laid|laide;poussé|pousse|pousser~tiré|tire|tirer;rit|ri|rire~pleur*;ami|amie|amis~ennemi*;poli|polie~impoli*;augment*|grimp*~chut*|baiss*;victoire~défaite;propriétaire~locataire;quitté|quitte|quittée~arrivé|arrivée|arrive;long|longue~court|courte;ancien|ancienne|vieux|vieille~nouveau|nouvelle|neuf|neuve|moderne;profond*~superficiel*;obligatoire*~facultati*;acheteu*~vendeu*;végétarien*~carnivore*;seul|seule|seuls|seulement~tous sauf|toutes sauf|tout le monde sauf|tous excepté;peux|peut|peuvent|pouvons|pouvez|pouvais|pouvait|sais|sait|possible~incapable*|impossible*',
    converses:
      'avant~après;achet*|achèt*~vend*;prêt*~emprunt*;donn*~pren*|pris;plus âgé|plus âgée|plus vieux|plus vieille~plus jeune;plus grand|plus grande~plus petit|plus petite;meilleur|meilleure~pire',
    beforeNames: 'habite à|habites à|vis à|vit à|appelle|nommé|nommée',
    and: 'et|ou',
    determiners: 'le|la|les|l|un|une|des|mon|ma|mes|ton|ta|tes|son|sa|ses|notre|nos|votre|vos|leur|leurs',
    passive: 'est|sont|suis|été|était|étaient|fut|furent|sera|seront~par',
    formerly: 'autrefois|jadis|dans le temps',
    past: '[^ ]{2,}(?:ais|ait|aient|ions)|(?:ai|as|a|avons|avez|ont|suis|est|sont) [^ ]{2,}(?:ée?s?|is?|ue?s?|t)',
    half: 'demi|demie',
    noonAndMidnight: 'midi~minuit',
  },
  de: {
    script: 'Latin',
    common:
      'kann|können|will|muss|soll|wird|bei|der|die|das|und|ist|ich|ein|eine|einen|einem|mein|meine|zu|im|den|dem|mit|auf|für|von|er|sie|es|wir|hat|habe|haben|sind|war|um|am|in|noch',
    verbs:
      'ist|hat|war|arbeitet|wohnt|lebt|liebt|mag|hasst|schuldet|trinkt|isst|spielt|spricht|studiert|kennt|heisst|fahrt|besitzt|braucht',
    numbers:
      'zwei|zwo;drei;vier;fünf;sechs;sieben;acht;neun;zehn;elf;zwölf|dutzend;dreizehn;vierzehn;fünfzehn;sechzehn;siebzehn;achtzehn;neunzehn',
    tens: 'zwanzig;dreißig|dreissig;vierzig;fünfzig;sechzig;siebzig;achtzig;neunzig;hundert|einhundert;tausend|eintausend',
    tensWithUnits: 'uundt',
    one: 'ein|eine|einen|einem|einer|eines|eins',
    ordinals:
      'erste*|einmal;zweite*|zweimal;dritte*|dreimal;vierte*|viermal;fünfte*|fünfmal;sechste*;siebte*|siebente*;achte*;neunte*;zehnte*;elfte*;zwölfte*',
    negations:
      'nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|nichts|niemand|niemanden|weder|noch nie|ohne|nirgends',
    besideNegations: 'mehr|gar|überhaupt',
    affirmations: 'nicht nur|nicht zuletzt|mehr als',
    opposites:
      'mag|mögen|liebe|liebt|lieben|gern|gerne~hasse|hasst|hassen|verabscheu*|ungern;erlaubt*|gestattet*|zulässig*|legal*~verboten*|untersagt*|unzulässig*|illegal*;ist an|sind an|eingeschaltet*|aktiviert*|aktiv~ist aus|sind aus|ausgeschaltet*|deaktiviert*|inaktiv;offen*|geöffnet*|öffne*~geschlossen*|schließ*;links|linke*~rechts|rechte*;mehr~weniger;steig*|erhöh*|stieg*|zugenommen~sink*|fällt|fiel*|senk*|gesunken|abgenommen;nimmt an|annehm*|akzeptier*|zugestimmt|angenommen~ablehn*|abgelehnt|verweiger*;gewinn*|gewann|gewonnen~verlier*|verlor|verloren;bestanden~durchgefallen|prüfung gefallen|test gefallen|examen gefallen|klausur gefallen|führerscheinprüfung gefallen;morgens|morgen|früh~nachmittag*|mittag*~abends|abend~nachts|nacht;heiß*|warm*~kalt*|kühl*;beginn*|begann|anfang*|start*~end*|aufhör*|aufgehört|stopp*;wahr|richtig~falsch|unwahr;ankomm*|angekommen|kommt~abfahr*|abreis*|geht;mann|männer~frau|frauen;der junge|ein junge|den jungen|einen jungen~mädchen;bruder|brüder~schwester*;vater~mutter;sohn|söhne~tochter|töchter;onkel~tante;lebendig|lebt~tot|gestorben;sicher*~gefährlich*|unsicher*;früh~spät;hoch|hohe*~niedrig*|tief*;groß*~klein*;gut*~schlecht*;leicht*|einfach*~schwer*|schwierig*;voll*~leer*;schwarz*~weiß*~rot*~blau*~grün*~gelb*~braun*|grau*~orange~lila|violett*~rosa;nord*~süd*~ost*~west*;erste*~zweite*~dritte*~letzte*;frühstück~mittagessen~abendessen;frühling~sommer~herbst~winter;positiv*~negativ*;gestern~heute;innen|drinnen~außen|draußen;verheiratet~geschieden~ledig;selten~oft|häufig|immer|meistens;lob*|gelobt~kritisier*|tadel*|getadelt|schimpf*|geschimpft;gestiegen|steigen|steigt|gewachsen~gesunken|sinkt|sinken|gefallen|fallen|geschrumpft;wenige|wenig|weniger~viele|viel;oben~unten;mittags|mittag~mitternacht|mitternachts;genesen|gesund|gesunder~krank|erkrankt|kranker;gelungen|gelingt|geschafft|geglückt~misslungen|gescheitert|missglückt;angefangen|begonnen~aufgehört|beendet;reich|reiche|reicher~arm|arme|armer;stark|starke|starker~schwach|schwache|schwacher;schnell|schnelle|schneller~langsam|langsame|langsamer;dick|dicke|dicker~dünn|dünne|dünner;breit|breite|breiter~schmal|eng;sauber|saubere~schmutzig|dreckig;nass|feucht~trocken;süß|süße~salzig~sauer|saure~bitter;laut|laute~leise|still|ruhig;billig|billige|günstig~teuer|teure;glücklich|froh~traurig|unglücklich;eingestellt|stellt ein~entlassen|gefeuert|gekündigt;schön|schöne~hässlich*;wach~schläft|schlafend;schieb*|geschoben|drück*~zieh*|gezogen;lach*|gelacht~wein|weint|weinte|geweint;freund|freunde|freundin~feind|feinde|feindin;höflich~unhöflich;vermieter*~mieter|mieterin|mietern;käufer*~verkäufer*;sieg|siege~niederlage*;gewinn|gewinne~verlust|verluste;lang|lange|langer|langes~kurz|kurze|kurzer|kurzes;alt|alte|alter|altes~neu|neue|neuer|neues;vegetarier*|vegan*~fleischesser*;freiwillig*~verpflichtend|obligatorisch*;vorübergehend*~dauerhaft*;nur~alle außer|jeder außer|alle bis auf;kann|kannst|können|könnt|konnte|konnten|möglich~unfähig|außerstande|unmöglich',
    converses:
      'vor|vorher~nach|nachher;kauf*|gekauft|abgekauft|abkauf*~verkauf*;leih*|verleih*|geliehen~borg*;gibt|gab|gegeben~nimmt|nahm|genommen;über~unter;älter~jünger;größer~kleiner;schneller~langsamer;schwerer~leichter;reicher~ärmer;stärker~schwächer;besser~schlechter;länger als~kürzer als;billiger|günstiger~teurer',
    beforeNames: 'arbeite bei|arbeitet bei|wohne in|wohnt in|lebe in|lebt in|heißt|heiße|namens',
    and: 'und|oder',
    determiners:
      'der|die|das|den|dem|ein|eine|einen|einem|einer|mein|meine|meinen|meinem|meiner|dein|deine|deinen|deinem|deiner|sein|seine|seinen|seinem|seiner|ihr|ihre|ihren|ihrem|ihrer|unser|unsere|unseren|unserem|unserer|euer|eure|euren|eurem|eurer',
    passive: 'wird|werden|werde|wurde|wurden|worden~von|vom|durch',
    formerly: 'früher|ehemals|einst|damals',
    past: 'war|waren|hatte|hatten|wurde|wurden|(?!heute |bitte |leute )[^ ]{3,}te[nt]?|(?:habe|hat|haben|bin|ist|sind) .*(?:t|en)',
    half: 'halbe|halben|halbes|halber~anderthalb',
    noonAndMidnight: 'mittag|mittags~mitternacht',
  },
  es: {
    script: 'Latin',
    common:
      'puede|sabe|quiere|como|pero|el|la|a|los|las|y|es|un|una|mi|mis|su|sus|de|en|que|por|para|con|del|al|está|tengo|tiene|yo|se|lo|me|hay|fue|he|ya|dejado|dejé|dejó',
    verbs: 'es|esta|tiene|vive|trabaja|debe|ama|odia|bebe|come|juega|habla|estudia|conoce|quiere',
    numbers:
      'dos|par de;tres;cuatro;cinco;seis;siete;ocho;nueve;diez;once;doce|docena;trece;catorce;quince;dieciséis;diecisiete;dieciocho;diecinueve',
    tens: 'veinte|veinti-;treinta;cuarenta;cincuenta;sesenta;setenta;ochenta;noventa;cien|ciento;mil',
    tensWithUnits: 'tu',
    hundreds:
      'doscientos|doscientas;trescientos|trescientas;cuatrocientos|cuatrocientas;quinientos|quinientas;seiscientos|seiscientas;setecientos|setecientas;ochocientos|ochocientas;novecientos|novecientas',
    one: 'un|una|uno',
    ordinals:
      'primer*;segundo|segunda;tercer*;cuart*;quint*;sext*;séptim*;octav*;noven*;décim*;undécim*;duodécim*',
    negations: 'no|nunca|jamás|ningún|ninguna|ninguno|nada|nadie|tampoco|ni|sin',
    besideNegations: 'ya|más',
    affirmations: 'al menos|por lo menos|más de|no solo|no sólo|sin duda|sin embargo',
    opposites:
      'debo~me debe;presto|presté~me presta|me prestó;pago|pagué~me paga|me pagó;gust*|encant*|amo|ama|amar|adoro|adora~odi*|detest*|disgust*|aborre*;permit*|autoriz*|legal*~prohib*|ilegal*;encendid*|enciend*|activ*~apagad*|apaga|desactiv*;abiert*|abre|abri*~cerrad*|cierra|cerr*;izquierd*~derech*;más~menos;aument*|sub*~disminu*|baj*|redu*;acept*|aprob*|aprueb*~rechaz*|neg*;gan*~perd*|pierd*;mañana~tarde~noche;caliente*|calor~frío*|fría*;empiez*|empez*|comienz*|comenz*~termin*|acab*|par*;verdad*|ciert*~fals*;lleg*|entr*~sal*|part*|ido|fue;hombre*~mujer*;chico*|niño*~chica*|niña*;hermano*~hermana*;padre~madre;hijo*~hija*;marido|esposo~esposa;tío*~tía*;vivo|viva~muert*;segur*~peligros*|insegur*;temprano~tarde;alt*~baj*;grande*|gran~pequeñ*;buen*|bien~mal|mal*;fácil*~difícil*;llen*~vací*;negr*~blanc*~roj*~azul*~verde*~amarill*~marr*|gris*~naranja~morad*~rosa;norte~sur~este~oeste;primer*~segund*~tercer*~últim*;desayun*~almuerz*|almorz*~cen*;primavera~verano~otoño~invierno;positiv*~negativ*;ayer~hoy;casad*~divorciad*~solter*;dentro~fuera;raramente|rara vez|casi nunca~a menudo|siempre|frecuentemente|con frecuencia;elogi*|alab*|felicit*~critic*|critiqu*|reprend*|reprim*|regañ*;pocos|pocas|poco~muchos|muchas|mucho;arriba~abajo;mediodía~medianoche;curado|curada|curó|recuperó|recuperado|sano|sana~enfermó|enfermo|enferma|enfermado;aprobó|aprobado|aprobaron~suspendió|suspendido|reprobó|reprobado|suspendieron;logr*|consigui*~fracas*;rico|rica|ricos~pobre|pobres;fuerte|fuertes~débil|débiles;rápido|rápida|rápidamente~lento|lenta|lentamente|despacio;pesado|pesada|pesados~ligero|ligera|liviano|liviana;grueso|gruesa~delgado|delgada|fino|fina;ancho|ancha~estrecho|estrecha|angosto;limpio|limpia|limpios~sucio|sucia|sucios;mojado|mojada|húmedo|húmeda~seco|seca|secos;dulce|dulces~salado|salada~amargo|amarga~ácido|ácida;ruidoso|ruidosa~silencioso|silenciosa|tranquilo|tranquila;caro|cara|caros|caras~barato|barata|baratos|baratas;feliz|felices|contento|contenta|alegre~triste|tristes|infeliz;contrat*~despid*|despedid*;guapo|guapa|bonito|bonita|hermoso|hermosa~feo|fea;despierto|despierta~dormido|dormida;empuj*~tir*|jal*;ríe|rio|rió~llor*;amigo|amiga|amigos~enemigo|enemiga|enemigos;suben|subió|sube|subieron~bajan|bajó|baja|bajaron|caen|cayó|cae;crece|crecen|creció~disminuye|disminuyen|decrece;largo|larga~corto|corta;viejo|vieja|antiguo|antigua~nuevo|nueva|moderno|moderna;victoria~derrota;propietari*|casero~inquilin*;obligatori*~opcional*|voluntari*;ganancia*~pérdida*;comprador*~vendedor*;joven|jóvenes~viejos|anciano|anciana;solo|sólo|solamente~todos menos|todos excepto|todos salvo;puedo|puedes|puede|podemos|pueden|podía|posible~incapaz|incapaces|imposible',
    converses:
      'antes~después;compr*~vend*;prest*~pedi*;da|dio|dado~toma|tomó|quit*;encima~debajo;mayor~menor;mejor~peor',
    beforeNames: 'vivo en|vive en|llama|llamo|llamado|llamada',
    and: 'y|e|o|u',
    determiners:
      'el|la|los|las|un|una|unos|unas|mi|mis|tu|tus|su|sus|nuestro|nuestra|nuestros|nuestras|vuestro|vuestra',
    passive: 'es|son|fue|fui|fueron|sido|era|eran|será~por',
    formerly: 'antes|solía|solías|solían|antaño',
    past: '[^ ]+(?:aba[sn]?|ía[sn]?|ó|aron|ieron)|fui|fue|era|eran|(?:he|ha|han) [^ ]+[ai]do',
    half: 'media|medio',
    noonAndMidnight: 'mediodía~medianoche',
  },
  it: {
    script: 'Latin',
    common:
      'devo|deve|mi|può|sa|vuole|come|ma|il|la|a|l|dell|dopo|nell|lo|gli|e|è|un|una|mio|mia|di|che|per|con|del|della|al|alla|sono|ho|ha|nel|nella|si|da|le|i|sta|ogni|in|ne',
    verbs: 'e|ha|vive|abita|lavora|deve|ama|odia|beve|mangia|gioca|parla|studia|conosce|vuole',
    numbers:
      'due|paio di;tre;quattro;cinque;sei;sette;otto;nove;dieci;undici;dodici|dozzina;tredici;quattordici;quindici;sedici;diciassette;diciotto;diciannove',
    tens: 'venti|vent-;trenta|trent-;quaranta|quarant-;cinquanta|cinquant-;sessanta|sessant-;settanta|settant-;ottanta|ottant-;novanta|novant-;cento;mille|mila',
    tensWithUnits: 'tu',
    one: 'un|una|uno',
    ordinals:
      'primo|prima;secondo|seconda;terz*;quart*;quint*;sest*;settim*;ottav*;nono|nona;decim*;undicesim*',
    negations: 'non|mai|nessun|nessuno|nessuna|niente|nulla|neanche|nemmeno|senza|no',
    // Without its accent the word alone is a pronoun.
    denials: 'né … né',
    besideNegations: 'più|affatto',
    affirmations: 'per lo meno|più di|non solo|senza dubbio|più che mai',
    opposites:
      'devo~mi deve;presto|ho prestato~mi presta|mi ha prestato;pago|ho pagato~mi paga|mi ha pagato;am*|ador*|piac*~odi*|detest*|dispiac*;permess*|consentit*|autorizz*|legal*~vietat*|proibit*|illegal*;acces*|attiv*~spent*|disattiv*|spegn*;apert*|apr*~chius*|chiud*;sinistr*~destr*;più~meno;aument*|sal*~diminu*|scend*|cal*|rid*;accett*|approv*~rifiut*|respin*;vinc*|vint*|vinse~perd*|pers*;mattin*~pomeriggi*~ser*~nott*;cald*~fredd*;inizi*|cominc*~fin*|termin*|smett*|smess*;ver*~fals*;arriv*|entr*~part*|esc*|uscit*;uom*~donn*;ragazzo|ragazzi~ragazza|ragazze;fratell*~sorell*;padre~madre;figlio~figlia;marito~moglie;zio~zia;viv*~mort*;sicur*~pericolos*|insicur*;presto~tardi;alt*~bass*;grand*~piccol*;buon*|bene~cattiv*|male;facil*~difficil*;pien*~vuot*;ner*~bianc*~ross*~blu|azzurr*~verd*~giall*~marron*|grigi*~arancion*~viola~rosa;nord~sud~est~ovest;prim*~second*~terz*~ultim*;colazione~pranzo~cena;primavera~estate~autunno~inverno;positiv*~negativ*;ieri~oggi~domani;sposat*~divorziat*~single|celibe|nubile;dentro~fuori;raramente|di rado~spesso|sempre|frequentemente;lod*|elogi*|complimen*~critic*|rimprover*|sgrid*;pochi|poche|poco~molti|molte|molto;al piano di sopra|di sopra|su~al piano di sotto|di sotto|giù;mezzogiorno~mezzanotte;guarit*|guarisc*|sano|sana~ammalat*|ammal*|malato|malata;riuscit*|riesc*|promoss*|superat*~fallit*|bocciat*;ricco|ricca|ricchi~povero|povera|poveri;forte|forti~debole|deboli;veloce|veloci|velocemente|rapido|rapida~lento|lenta|lenti|lentamente;pesante|pesanti~leggero|leggera|leggeri;spesso|spessa~sottile|sottili;largo|larga~stretto|stretta;pulito|pulita|puliti~sporco|sporca|sporchi;bagnato|bagnata|umido|umida~asciutto|asciutta|secco|secca;dolce|dolci~salato|salata~amaro|amara~acido|acida;rumoroso|rumorosa~silenzioso|silenziosa|tranquillo|tranquilla;caro|cara|costoso|costosa~economico|economica;felice|felici|contento|contenta~triste|tristi|infelice;assunt*|assum*~licenziat*|licenzi*;bello|bella|belli~brutto|brutta|brutti;sveglio|sveglia~addormentato|addormentata;spinge|spinto|spinge~tira|tirato;ride|riso~piange|pianto;amico|amica|amici~nemico|nemica|nemici;lungo|lunga~corto|corta|breve;vecchio|vecchia|antico|antica~nuovo|nuova|moderno|moderna;vittoria~sconfitta;padrone|proprietari*~inquilin*;obbligatori*~facoltativ*;guadagno~perdita;crescono|cresce|crescono|cresciut*~calano|cala|diminui*|calat*;solo|soltanto|solamente~tutti tranne|tutti eccetto|tutti meno;posso|puoi|può|possiamo|possono|riesco|riesce|possibile~incapace|incapaci|impossibile',
    converses:
      'prima~dopo;compr*|acquist*~vend*;dà|dato|diede~prend*|preso;sopra~sotto;maggiore~minore;migliore~peggiore',
    beforeNames: 'vivo a|vive a|abito a|abita a|chiama|chiamo',
    and: 'e|ed|o',
    determiners:
      'il|lo|la|l|i|gli|le|un|uno|una|mio|mia|miei|mie|tuo|tua|tuoi|tue|suo|sua|suoi|sue|nostro|nostra|nostri|nostre|vostro|vostra|loro',
    passive:
      'è|sono|stato|stata|stati|state|viene|vengono|venne|fu|furono~da|dal|dalla|dallo|dall|dai|dagli|dalle',
    formerly: 'un tempo|in passato',
    past: '[^ ]{2,}[aei]v(?:o|a|ano)|er[oa]|erano|(?:ho|ha|hai|hanno|sono|è) [^ ]+t[oaie]',
    half: 'mezzo|mezza|mezz',
    noonAndMidnight: 'mezzogiorno~mezzanotte',
  },
  pt: {
    script: 'Latin',
    common:
      'pode|sabe|quer|mas|como|o|a|de|os|as|um|uma|meu|minha|eu|não|fica|ficam|em|do|da|dos|ao|à|com|para|que|é|são|está|tenho|tem|você|ele|ela|por|foi|no|na|ainda|deixei|deixou|depois',
    verbs: 'e|esta|tem|mora|vive|trabalha|deve|ama|odeia|bebe|come|joga|fala|estuda|conhece|quer',
    numbers:
      'dois|duas|par de;três;quatro;cinco;seis;sete;oito;nove;dez;onze;doze|dúzia;treze;catorze|quatorze;quinze;dezasseis|dezesseis;dezassete|dezessete;dezoito;dezanove|dezenove',
    tens: 'vinte;trinta;quarenta;cinquenta;sessenta;setenta;oitenta;noventa;cem|cento;mil',
    hundreds:
      'duzentos|duzentas;trezentos|trezentas;quatrocentos|quatrocentas;quinhentos|quinhentas;seiscentos|seiscentas;setecentos|setecentas;oitocentos|oitocentas;novecentos|novecentas',
    one: 'um|uma',
    ordinals: 'primeir*;segundo|segunda;terceir*;quart*;quint*;sext*;sétim*;oitav*;nono|nona;décim*',
    negations: 'não|nunca|jamais|nenhum|nenhuma|nada|ninguém|nem|sem',
    besideNegations: 'já|mais',
    affirmations: 'pelo menos|mais de|não só|não apenas|sem dúvida',
    opposites:
      'devo~me deve|deve me;empresto|emprestei~me empresta|me emprestou|emprestou me;gost*|ador*|am*~odei*|odi*|detest*|desgost*;permit*|autoriz*|legal|legais~proib*|proíb*|ilegal|ilegais;ligad*|liga|ativ*~desligad*|desliga|desativ*;abert*|abr*~fechad*|fech*;esquerd*~direit*;mais~menos;aument*|sub*|sobe*~diminu*|baix*|desc*|reduz*;aceit*|aprov*~recus*|rejeit*|neg*;ganh*|venc*~perd*;manhã~tarde~noite;quente*~fri*;começ*|inici*~termin*|acab*|par*;verdad*|cert*~fals*|errad*;cheg*|entr*~sai*|part*;homem|homens~mulher*;rapaz*|menino*~rapariga*|menina*;irmão|irmãos~irmã|irmãs;pai~mãe;filho*~filha*;marido~esposa;tio*~tia*;viv*~mort*;segur*~perigos*|insegur*;cedo~tarde;alt*~baix*;grande*~pequen*;bom|boa|bem~mau|má|mal|ruim;fácil|fáceis~difícil|difíceis;chei*~vazi*;pret*|negr*~branc*~vermelh*~azul|azuis~verde*~amarel*~castanh*|cinz*|marrom~laranja~rox*~rosa;norte~sul~leste|este~oeste;primeir*~segund*~terceir*~últim*;pequeno-almoço~almoço~jantar;primavera~verão~outono~inverno;positiv*~negativ*;ontem~hoje~amanhã;casad*~divorciad*~solteir*;dentro~fora;raramente~frequentemente|sempre|muitas vezes|com frequência;elogi*|louv*~critic*|repreend*|ralh*;poucos|poucas|pouco~muitos|muitas|muito;em cima|lá em cima~em baixo|embaixo|lá em baixo;meio-dia|meio dia~meia-noite|meia noite;curado|curada|curou|recuperou|saudável~adoeceu|doente;passou|passaram|conseguiu|aprovado|aprovada~reprovou|reprovado|reprovada|falhou|chumbou|fracassou;rico|rica|ricos~pobre|pobres;forte|fortes~fraco|fraca|fracos;rápido|rápida|rapidamente|depressa~lento|lenta|lentamente|devagar;pesado|pesada|pesados~leve|leves;grosso|grossa|espesso~fino|fina|delgado;largo|larga~estreito|estreita;limpo|limpa|limpos~sujo|suja|sujos;molhado|molhada|húmido|húmida|úmido~seco|seca|secos;doce|doces~salgado|salgada~amargo|amarga~azedo|azeda;barulhento|barulhenta~silencioso|silenciosa|calmo|calma;caro|cara|caros|caras~barato|barata|baratos|baratas;feliz|felizes|contente|alegre~triste|tristes|infeliz;contratou|contratado|contratada|contratar~despediu|despedido|despedida|demitiu|demitido|demitida;bonito|bonita|lindo|linda~feio|feia;acordado|acordada~dormindo|adormecido;riu|ri|rir~chorou|chora|chorar;amigo|amiga|amigos~inimigo|inimiga|inimigos;longo|longa|comprido|comprida~curto|curta;novo|nova|moderno|moderna|novos|novas~velho|velha|antigo|antiga|velhos|velhas;vitória~derrota;senhorio|proprietári*~inquilin*;obrigatóri*~facultativ*|opciona*;lucro~prejuízo|perda;cresce|cresceu|crescem~diminui|diminuiu|cai|caiu|caem;só|somente|apenas~todos menos|todos exceto|todos salvo;posso|podes|pode|podemos|podem|consigo|consegue|possível~incapaz|incapazes|impossível',
    converses: 'antes~depois|após;compr*~vend*;emprest*~pedi*;dá|deu~tir*|tom*;cima~baixo;melhor~pior',
    beforeNames: 'moro em|mora em|vivo em|vive em|moro no|chama|chamo',
    and: 'e|ou',
    determiners:
      'o|a|os|as|um|uma|uns|umas|meu|minha|meus|minhas|teu|tua|teus|tuas|seu|sua|seus|suas|nosso|nossa|nossos|nossas',
    passive: 'é|são|foi|fui|foram|sido|era|será~por|pelo|pela|pelos|pelas',
    formerly: 'antigamente|outrora|costumava|costumavam|antes',
    past: '[^ ]+(?:avam?|iam?|ou|eu|iu)|era|eram|foi|tinha|fui',
    half: 'meia|meio',
    noonAndMidnight: 'meio dia~meia noite',
  },
  nl: {
    script: 'Latin',
    common:
      'in|woon|woont|sinds|jaar|ben|kan|wil|moet|niet|maar|de|het|een|en|is|ik|mijn|van|op|met|voor|zijn|aan|te|dat|die|heeft|heb|zij|hij|wij|wordt|bij|om|naar|elke|per|nu|pas|vanochtend|vanmiddag|vanavond',
    verbs: 'is|heeft|was|werkt|woont|leeft|houdt|haat|drinkt|eet|speelt|spreekt|studeert|kent|heet|rijdt',
    numbers:
      'twee;drie;vier;vijf;zes;zeven;acht;negen;tien;elf;twaalf|dozijn;dertien;veertien;vijftien;zestien;zeventien;achttien;negentien',
    tens: 'twintig;dertig;veertig;vijftig;zestig;zeventig;tachtig;negentig;honderd;duizend',
    tensWithUnits: 'uent',
    one: 'een|één|eentje',
    ordinals:
      'eerste|eenmaal;tweede|tweemaal;derde|driemaal;vierde;vijfde;zesde;zevende;achtste;negende;tiende;elfde;twaalfde',
    negations: 'niet|geen|nooit|niets|niemand|zonder|nergens|noch',
    besideNegations: 'meer|helemaal',
    affirmations: 'niet alleen|niet slechts',
    opposites:
      'houd van|houdt van|hou van|houden van|lekker|graag|leuk|liefde|bemin*~haat|haten|hekel|verafschuw*;toegestaan|toegelaten|legaal~verboden|illegaal;ingeschakeld|geactiveerd|staat aan|is aan~uitgeschakeld|gedeactiveerd|staat uit|is uit;open|geopend~dicht|gesloten;links|linker*~rechts|rechter*;meer~minder;stijg*|verhoog*|gestegen~daal*|dalen|verlaag*|gedaald;accepteer*|geaccepteerd|goedgekeurd~weiger*|geweigerd|afgewezen;win*|won|gewonnen~verlies*|verloor|verloren;ochtend*|morgen*~middag*~avond*~nacht*;warm*|heet~koud*;begin*|begon|start*~eindig*|stop*|einde;waar~onwaar|vals;aankom*|komt~vertrek*|gaat;man|mannen~vrouw|vrouwen;jongen*~meisje*;broer*~zus|zussen|zuster;vader~moeder;zoon|zonen~dochter*;oom~tante;levend|leeft~dood|overleden;veilig*~gevaarlijk*|onveilig*;vroeg~laat;hoog|hoge~laag|lage;groot|grote~klein*;goed*~slecht*;makkelijk*|gemakkelijk*~moeilijk*;vol|volle~leeg|lege;zwart*~wit*~rood|rode~blauw*~groen*~geel|gele~bruin*|grijs|grijze~oranje~paars*~roze;noord*~zuid*~oost*~west*;eerste~tweede~derde~laatste;ontbijt~lunch~diner|avondeten;lente~zomer~herfst~winter;positief|positieve~negatief|negatieve;gisteren~vandaag;getrouwd~gescheiden~ongehuwd|vrijgezel;binnen~buiten;zelden~vaak|altijd|meestal|dikwijls;prijst|prees|geprezen|complimenteer*|looft~bekritiseer*|kritiseer*|berisp*|gekritiseerd;weinig~veel|vele;boven|naar boven~beneden|naar beneden;middag|twaalf uur s middags~middernacht;genezen|hersteld|gezond~ziek|ziek geworden;geslaagd|slaagt|slaagde|gelukt~gezakt|zakt|zakte|mislukt|faalt;rijk|rijke~arm|arme;sterk|sterke~zwak|zwakke;snel|snelle~langzaam|langzame|traag|trage;zwaar|zware~licht|lichte;dik|dikke~dun|dunne;breed|brede~smal|smalle;schoon|schone~vuil|vuile|vies|vieze;nat|natte~droog|droge;zoet|zoete~zout|zoute~zuur|zure~bitter|bittere;luid|lawaaierig~stil|stille|rustig;duur|dure~goedkoop|goedkope;blij|blije|gelukkig~verdrietig|droevig|ongelukkig;aangenomen|aangeworven~ontslagen;mooi|mooie~lelijk|lelijke;wakker~slaapt|slapend;duwt|duwde|geduwd~trekt|trok|getrokken;lacht|lachte|gelachen~huilt|huilde|gehuild;vriend|vrienden|vriendin~vijand|vijanden;lang|lange~kort|korte;oud|oude~nieuw|nieuwe|modern|moderne;overwinning~nederlaag;winst|winsten~verlies|verliezen;huurder*~verhuurder*;verplicht|verplichte~optioneel|optionele|vrijwillig|vrijwillige;stegen|steeg|toegenomen|groeit~daalde|daalden|afgenomen|krimpt;alleen~iedereen behalve|allemaal behalve;kan|kunt|kunnen|kon|konden|mogelijk~onmogelijk',
    converses:
      'voordat~nadat;koop*|kocht|gekocht~verkoop*|verkocht;boven~onder;geeft|gaf|gegeven~neemt|nam|genomen;ouder~jonger;groter~kleiner;sneller~langzamer;beter~slechter',
    beforeNames: 'woon in|woont in|heet|genaamd',
    and: 'en|of',
    determiners: 'de|het|een|mijn|jouw|je|zijn|haar|onze|hun|uw',
    passive: 'wordt|worden|werd|werden|is|was|zijn~door',
    formerly: 'vroeger|voorheen|destijds',
    past: 'was|waren|had|hadden|[^ ]{3,}[dt]en?|(?:heb|heeft|ben|is) .*ge[^ ]+',
    half: 'half|halve~anderhalf|anderhalve',
    noonAndMidnight: '~middernacht',
  },
  sv: {
    script: 'Latin',
    common:
      'och|är|att|det|jag|en|ett|som|på|för|med|av|har|min|mitt|mina|till|inte|han|hon|vi|den|om|från|i|nu|sin|ni',
    verbs:
      'är|har|bor|lever|arbetar|jobbar|älskar|hatar|dricker|äter|spelar|talar|studerar|kör|äger|känner|heter|gillar|röker',
    numbers:
      'två;tre;fyra;fem;sex;sju;åtta;nio;tio;elva;tolv;tretton;fjorton;femton;sexton;sjutton;arton;nitton',
    tens: 'tjugo;trettio;fyrtio;femtio;sextio;sjuttio;åttio;nittio;hundra;tusen',
    tensWithUnits: 'tu',
    one: 'en|ett',
    negations: 'inte|ej|icke|aldrig|ingen|inget|inga|ingenting|utan',
    besideNegations: 'längre|mer|alls',
    affirmations: 'inte bara|inte minst',
    opposites:
      'gillar|gilla|älskar|älska|tycker~hatar|hata|avskyr|ogillar;tillåt*|lagligt~förbju*|olagligt;på|aktiverad~av|avstängd|inaktiverad;öppen|öppet|öppnar~stängd|stängt|stänger;vänster~höger;mer|fler~mindre|färre;ök*|stig*~minsk*|sjunk*;accepter*|godkän*~vägr*|avvis*|avsl*;vann|vinner|vunnit~förlora*;morgon*~eftermiddag*~kväll*~natt*;varm*|het*~kall*;börja*|start*~slut*;man|män~kvinn*;bror|bröder~syst*;far|pappa~mor|mamma;son~dotter;tidig*~sen|sent;hög*~låg*;stor*~lit*|små;bra|god*~dålig*;svart*~vit*~röd*~blå*~grön*~gul*~brun*|grå*;norr*~söder*~öster*~väster*;vår*~sommar*~höst*~vinter*;gift~skild|frånskild~ogift;frukost~lunch~middag;säker*~farlig*;lätt*~svår*;ung*~gammal*;full*~tom*;sällan~ofta|alltid|vanligtvis;beröm*|berömde|prisade~kritiser*|skäll*|klandra*;få~många;däruppe|uppe|på övervåningen~därnere|nere|på nedervåningen;middag|klockan tolv på dagen~midnatt;frisk|friskt|tillfrisknat|frisknade~sjuk|sjukt|insjuknat|insjuknade;klarade|klarat|lyckades|lyckats~misslyckades|misslyckats|underkänd|kuggade;rik|rikt|rika~fattig|fattigt|fattiga;stark|starkt|starka~svag|svagt|svaga;snabb|snabbt|snabba|fort~långsam|långsamt|långsamma|sakta;tung|tungt|tunga~lätt|lätta;tjock|tjockt|tjocka~tunn|tunt|tunna;bred|brett|breda~smal|smalt|smala;ren|rent|rena~smutsig|smutsigt|smutsiga;våt|vått|blöt|blött~torr|torrt|torra;söt|sött|söta~salt|salta~sur|surt|sura~bitter|bittert;högljudd|högljutt|bullrig~tyst|lugn|lugnt;dyr|dyrt|dyra~billig|billigt|billiga;glad|glatt|lycklig|lyckligt~ledsen|ledset|olycklig|sorgsen;anställd|anställde|anställdes~avskedad|avskedade|sparkad|uppsagd;vacker|vackert|vackra|fin~ful|fult|fula;vaken|vaket~sover|sovande;skrattar|skrattade~gråter|grät;vän|vänner~fiende|fiender;lång|långt|långa~kort|korta;gammal|gammalt|gamla~ny|nytt|nya|modern;seger~nederlag;vinst|vinster~förlust|förluster;hyresvärd*~hyresgäst*;obligatorisk*~frivillig*|valfri*;öppnade|öppnat~stängde|stängt;bara|endast~alla utom',
    converses: 'före|innan~efter;köp*~sälj*|sålde|sålt;äldre~yngre',
    and: 'och|eller',
    determiners: 'en|ett|min|mitt|mina|din|ditt|dina|sin|sitt|sina|vår|vårt|våra|er|ert|hans|hennes|deras',
    half: 'halv|halva|halvt',
    noonAndMidnight: '~midnatt',
  },
  da: {
    script: 'Latin',
    common:
      'og|er|at|det|jeg|en|et|som|på|for|med|af|har|min|mit|mine|til|ikke|han|hun|vi|den|om|fra|av|hver|i|nu|sin',
    verbs:
      'er|har|bor|lever|arbejder|arbeider|jobber|elsker|hader|hater|drikker|spiser|spiller|taler|snakker|studerer|kører|kjører|ejer|eier|kender|kjenner|hedder|heter|ryger|røyker',
    numbers:
      'to;tre;fire;fem;seks;syv|sju;otte|åtte;ni;ti;elleve;tolv;tretten;fjorten;femten;seksten;sytten;atten;nitten',
    tens: 'tyve|tjue;tredive|tretti;fyrre|førti;halvtreds|femti;tres|seksti;halvfjerds|sytti;firs|åtti;halvfems|nitti;hundrede|hundre;tusind|tusen',
    tensWithUnits: 'uogt|tu',
    one: 'en|et|ett',
    negations: 'ikke|ikkje|aldrig|aldri|ingen|intet|ingenting|uden|uten',
    besideNegations: 'længere|lenger|mere|mer|slet',
    affirmations: 'ikke kun|ikke bare',
    opposites:
      'elsker|elske|kan lide|liker~hader|hater|afskyr|avskyr;tilladt|tillatt|lovlig~forbudt|ulovlig;tændt|slået til|på~slukket|av;åben|åbent|åpen|åpent~lukket|stengt;venstre~højre|høyre;mere|mer|flere~mindre|færre;stig*|øk*~fald*|synk*;morgen*~eftermiddag*|ettermiddag*~aften*|kveld*~nat|natten;varm*~kold*|kald*;mand|mann~kvinde|kvinne;bror*~søster*;far~mor;søn|sønn~datter;tidlig*~sen|sent;høj*|høy*~lav*;stor*~lille|liten|små;god*~dårlig*;sort*|svart*~hvid*|hvit*~rød*~blå*~grøn*|grønn*~gul*~brun*;gift~skilt~ugift;forår*~sommer*~efterår*|høst*~vinter*;morgenmad~frokost~aftensmad;sikker*~farlig*;let*~svær*;sjældent|sjelden|sjeldent~ofte|altid|alltid;rost*|roste|skrøt~kritiser*|skældte|skjente;få~mange;ovenpå|oppe|oppå~nedenunder|nede;middag~midnat|midnatt;rask|frisk~syg|syk|sygt;bestod|bestået|bestått|lykkedes|lyktes~dumpede|dumpet|strøk|mislykkedes|mislyktes;rig|rik|rike|rige~fattig|fattige;stærk|sterk|stærke|sterke~svag|svak|svage|svake;hurtig|hurtigt|rask|raskt~langsom|langsomt;tung|tungt|tunge~let|lett|lette;tyk|tykk|tykke~tynd|tynn|tynne;bred|bredt|brede~smal|smalt|smale;ren|rent|rene~beskidt|skitten|skittent|snavset;våd|vådt|våt|vått~tør|tørr|tørt|tørre;sød|søt|søtt|sødt~salt|salte~sur|surt~bitter|bittert;højlydt|høylytt|støjende~stille|rolig;dyr|dyrt|dyre~billig|billigt|billige;glad|lykkelig~trist|ked af|ulykkelig;ansat|ansatt|ansatte~fyret|fyrede|sparket|oppsagt;smuk|smukt|pen|pent|vakker~grim|grimt|stygg|stygt;vågen|våken~sover;ler|lo~græder|græd|gråter|gråt;ven|venn|venner~fjende|fiende|fjender|fiender;lang|langt|lange~kort|korte;gammel|gammelt|gamle~ny|nyt|nytt|nye;sejr|seier~nederlag;gevinst|overskud|overskudd~tab|tap|underskud|underskudd;åbner|åpner|åbnede|åpnet~lukker|lukkede;begynder|begynner|begyndte|begynte|starter~slutter|sluttede|sluttet|stopper|stoppede|holdt op;kommer|ankommer|ankom~går|afgår|avgår|tog af sted;kun|bare~alle undtagen|alle unntatt',
    converses: 'før~efter|etter;køb*|kjøp*~solgt|sælg*|selg*;ældre|eldre~yngre',
    and: 'og|eller',
    determiners:
      'en|et|ett|min|mit|mitt|mine|din|dit|ditt|dine|sin|sit|sitt|vores|vår|hans|hendes|hennes|deres',
    noonAndMidnight: '~midnat',
    half: 'halv|halve|halvt~halvanden',
  },
  fi: {
    script: 'Latin',
    common: 'ja|on|minun|hän|se|ovat|että|minä|olen|joka|kun|oli|myös|kuin|mutta|sitä|minulla|hänen|ole|olen',
    verbs:
      'on|asuu|asuvat|elää|työskentelee|rakastaa|vihaa|juo|syö|pelaa|puhuu|opiskelee|ajaa|omistaa|tuntee|pitää|polttaa',
    numbers:
      'kaksi|kahde-|kaht-;kolme;neljä;viisi|viide-|viit-;kuusi|kuude-|kuut-;seitsemän|seitsemä-;kahdeksan|kahdeksa-;yhdeksän|yhdeksä-;kymmenen|kymmene-;yksitoista;kaksitoista;kolmetoista;neljätoista;viisitoista;kuusitoista;seitsemäntoista;kahdeksantoista;yhdeksäntoista',
    tens: 'kaksikymmentä;kolmekymmentä;neljäkymmentä;viisikymmentä;kuusikymmentä;seitsemänkymmentä;kahdeksankymmentä;yhdeksänkymmentä;sata|sataa|sada-;tuhat|tuhatta|tuhanne-',
    tensWithUnits: 'tu',
    numberEndings: '>n|>ssa|>sta|>lla|>lta|>lle|>ksi|>na|>ta|>a|>en|>een',
    one: 'yksi|yhden|yhtä',
    negations: 'ei|en|et|emme|ette|eivät|älä|älkää|ilman|koskaan|*maton|*mätön',
    besideNegations: 'enää|lainkaan',
    affirmations: 'ei vain|ei ainoastaan',
    opposites:
      'rakast*|pidän|pitää|tykkää*~vihaa*|inhoa*;sallittu*|luvallista~kielletty*|laitonta;päällä~pois;auki|avoin~kiinni|suljettu;vasen|vasem*~oikea*;enemmän~vähemmän;aamu*~iltapäivä*~ilta*|illal*~yö*;kuuma*|lämmin~kylmä*;mies|miehet~nainen|naiset;veli*|velje*~sisko*;isä*~äiti*|äidi*;suuri|iso~pieni;hyvä*~huono*;musta*~valkoi*~punai*~sini*~vihreä*~keltai*;naimisissa~eronnut~naimaton;talvi|talvella~kesä*~syksy*~kevä*;aamiai*~lounas|lounaa*~illallis*;turvalli*~vaaralli*;harvoin~usein|aina|yleensä;kehu*|kehui|ylist*~arvostel*|moitti*|moiti*|kritiso*;harvat|vähän|harva~monet|paljon|moni;yläkerrassa|ylhäällä~alakerrassa|alhaalla;keskipäivällä|puoleltapäivin~keskiyöllä;terve|toipui|parani|parantunut~sairas|sairastui|sairastunut;läpäisi|onnistui|onnistunut~reputti|epäonnistui|epäonnistunut;rikas|rikkaa*~köyhä*;vahva*|voimak*~heikko*|heiko*;nopea*|nopeasti~hidas|hitaa*|hitaasti;raskas|painava*~kevyt|kevye*;paksu*~ohut|ohue*;leveä*~kapea*;puhdas|puhtaa*~likainen|likaise*;märkä|märän|kostea*~kuiva*;makea*~suolainen|suolais*~hapan|happama*~karvas;meluisa*|äänekäs~hiljainen|hiljais*;kallis|kallii*~halpa|halvan|halvat;iloinen|iloise*|onnellinen~surullinen|surullise*|onneton;palkattiin|palkkasi~irtisanottiin|irtisanoi|erotettiin;kaunis|kaunii*~ruma*;hereillä~nukkuu|unessa;nauraa|nauroi~itkee|itki;ystävä*~vihollinen|viholli*;pitkä*~lyhyt|lyhye*;vanha*~uusi|uude*;voitto|voitto*|voitti~tappio*|hävisi;nousee|nousi|nousevat|kasvaa|kasvoi~laskee|laski|laskevat|vähenee|väheni;avataan|avautuu|aukeaa|avasi~suljetaan|sulkeutuu|sulki;alkaa|alkoi|aloitti~loppuu|loppui|lopetti|päättyy;saapuu|saapui|tulee|tuli~lähtee|lähti',
    converses: 'ennen~jälkeen;osti|ostaa*~myi|myy*',
    and: 'ja|tai',
    inflects: true,
    noonAndMidnight: 'keskipäivä|keskipäivällä~keskiyö|keskiyöllä',
    half: 'puoli|puolen|puolta',
  },
  pl: {
    script: 'Latin',
    common:
      'może|umie|chce|ale|i|w|z|na|się|jest|do|to|mój|moja|moje|mam|nie|o|że|jak|po|dla|ma|są|mieszka|co|od|przez|był|była|ten|ta|tak',
    verbs: 'jest|ma|mieszka|żyje|pracuje|kocha|lubi|pije|je|gra|mówi|studiuje|jeździ|zna|uczy|pali',
    numbers:
      'dwa|dwie|dwóch|dwoje|dwaj;trzy|trzech|troje;cztery|czterech;pięć|pięciu;sześć|sześciu;siedem|siedmiu;osiem|ośmiu;dziewięć|dziewięciu;dziesięć|dziesięciu;jedenaście;dwanaście|tuzin;trzynaście;czternaście;piętnaście;szesnaście;siedemnaście;osiemnaście;dziewiętnaście',
    tens: 'dwadzieścia|dwudziestu;trzydzieści|trzydziestu;czterdzieści|czterdziestu;pięćdziesiąt|pięćdziesięciu;sześćdziesiąt|sześćdziesięciu;siedemdziesiąt|siedemdziesięciu;osiemdziesiąt|osiemdziesięciu;dziewięćdziesiąt|dziewięćdziesięciu;sto|stu;tysiąc|tysiące|tysięcy',
    numberEndings: 'ście>stu',
    hundreds: 'dwieście;trzysta;czterysta;pięćset;sześćset;siedemset;osiemset;dziewięćset',
    one: 'jeden|jedna|jedno|jednego|jedną',
    ordinals:
      'pierwsz*;drug*;trzec*;czwart*;piąt*;szóst*;siódm*;ósm*;dziewiąt*;dziesiąt*;jedenast*;dwunast*;trzynast*;czternast*;piętnast*;szesnast*;siedemnast*;osiemnast*;dziewiętnast*;dwudziest*',
    negations: 'nie|nigdy|nikt|nic|żaden|żadna|żadne|żadnych|żadnego|bez|brak|ani',
    besideNegations: 'już|wcale',
    affirmations: 'nie tylko',
    opposites:
      'kocha*|lubi*|uwielbia*~nienawi*|nie cierp*;dozwol*|wolno|legaln*~zabroni*|zakaz*|nielegaln*;włącz*~wyłącz*;otwar*~zamkni*;lew*~praw*;więcej~mniej;wzr*|rośnie|podnos*~spad*|mal*|obniż*;zaakcept*|przyj*~odmów*|odrzuc*;wygr*~przegr*;rano|rana~południu~wieczor*~noc*|nocy;gorąc*|ciepł*~zimn*;zacz*|rozpocz*~skończ*|koniec;prawd*~fałsz*;mężczyzn*~kobiet*;brat*~siostr*;ojc*|ojciec~matk*;syn*~córk*;wcześn*~późn*;wysok*~nisk*;duż*|wielk*~mał*;dobr*|dobrze~zł*|źle;łatw*~trudn*;czarn*~biał*~czerwon*~niebiesk*~zielon*~żółt*~brązow*|szar*;północ*~południ*~wsch*~zach*;pierwsz*~drug*~trzec*~ostatn*;wiosn*|wiosen*~lat*|letn*~jesie*~zim*;żonat*|zamężn*~rozwied*~kawaler*|pann*;pożycz* od~pożycz* komuś;śniadani*~obiad*~kolacj*;bezpiecz*~niebezpiecz*;wczoraj~dziś|dzisiaj~jutro;rzadko~często|zawsze|zazwyczaj;chwali*|pochwali*~krytyk*|skrytyk*|skarci*|karci*|zgani*;niewiel*|mało~wiel*|dużo;na górze~na dole;południe|w południe~północ|o północy;wyzdrowia*|zdrow*~zachorowa*|chor*;zdał|zdała|zdali~oblał|oblała|oblali;uda*~nie uda*;rosną|rosła|rosły|rósł|wzrosły|wzrosła|wzrosło|rosnąć~spadają|spadły|spadła|spadło|maleją|maleje|zmalały|zmniejsz*;otwiera|otwierają|otworzy*|otworzono~zamyka|zamykają|zamknę*|zamknął|zamknięto;bogat*~biedn*|ubog*;siln*|mocn*~słab*;szybk*|szybko~woln*|powoli|powoln*;ciężk*~lekk*;grub*~cienk*|chud*;szerok*~wąsk*;czyst*~brudn*;mokr*|wilgotn*~such*;słodk*~słon*~kwaśn*~gorzk*;głośn*~cich*;drog*|drogi|droga|drogie~tani|tania|tanie;szczęśliw*|wesoł*~smutn*|nieszczęśliw*;zatrudni*~zwolni*;piękn*|ładn*~brzydk*;śmiej*|śmia*~płacz*|płaka*;przyjaci*~wrog*|wróg;dług*|długi~krótk*;star*~now*;zwycięst*~porażk*|klęsk*;zysk*~strat*;wynajmujący~najemc*|lokator*;obowiązkow*~dobrowoln*;przyjeżdża*|przyjecha*|przychodz*|przyszedł|przyszła~odjeżdża*|odjecha*|wyjeżdża*|wyjecha*|wychodz*|wyszedł|wyszła;żyje|żyją~umarł|umarła|zmarł|zmarła|nie żyje;tylko~wszyscy oprócz|wszyscy prócz|wszyscy poza;mogę|może|mogą|można|umiem|umie~niemożliw*|niezdoln*',
    converses: 'przed~po;kup*~sprzeda*;starszy|starsza~młodszy|młodsza',
    beforeNames: 'mieszkam w|mieszka w|imię',
    and: 'i|oraz|lub',
    inflects: true,
    determiners:
      'mój|moja|moje|mojego|moją|mojej|mojemu|twój|twoja|twojego|twoją|twojej|nasz|nasza|naszego|naszą|naszej|naszemu|wasz|wasza|waszego|waszą|swój|swoja|swojego|swoją|jego|jej|ich',
    passive: 'został|została|zostali|zostały|zostaje|był|była|jest~przez',
    formerly: 'kiedyś|dawniej|niegdyś',
    past: '[^ ]+(?:ł|ła|ło|li|ły|łem|łam|liśmy|łyśmy)',
    half: 'pół~półtora|półtorej',
    noonAndMidnight: 'południe~północ|północy',
  },
  cs: {
    script: 'Latin',
    common: 'a|je|v|na|se|si|můj|moje|má|mám|do|že|z|s|jsem|jsou|by|byl|byla|pro|ve|jako|který|od|mi|tak|sem',
    verbs: 'je|má|bydlí|žije|pracuje|miluje|pije|jí|hraje|mluví|studuje|řídí|vlastní|zná|učí|kouří',
    numbers:
      'dva|dvě|dvou;tři|tří;čtyři;pět|pěti;šest;sedm;osm;devět|devíti;deset|deseti;jedenáct;dvanáct;třináct;čtrnáct;patnáct;šestnáct;sedmnáct;osmnáct;devatenáct',
    tens: 'dvacet;třicet;čtyřicet;padesát;šedesát;sedmdesát;osmdesát;devadesát;sto|stě|sta|set;tisíc|tisíce',
    numberEndings: '>i',
    one: 'jeden|jedna|jedno|jednu',
    ordinals:
      'první*;druhý|druhá|druhé|druhou|druhého;třetí*;čtvrtý|čtvrtá|čtvrté|čtvrtou|čtvrtého;pátý|pátá|páté|pátou|pátého;šestý|šestá|šesté|šestou|šestého;sedmý|sedmá|sedmé|sedmou|sedmého;osmý|osmá|osmé|osmou|osmého;devátý|devátá|deváté|devátou|devátého;desátý|desátá|desáté|desátou|desátého;jedenáctý|jedenáctá|jedenácté|jedenáctou;dvanáctý|dvanáctá|dvanácté|dvanáctou',
    negations: 'ne|není|nejsem|nejsou|nemám|nemá|nikdy|nikdo|nic|žádný|žádná|žádné|žádného|bez|ani',
    negativePrefix: 'ne',
    besideNegations: 'už|vůbec|více',
    affirmations: 'nejen',
    opposites:
      'miluj*|líbí|rád|ráda~nenávid*|nesnáš*|nerad*|nelíbí;povolen*|dovolen*~zakáz*;zapnut*~vypnut*;otevř*~zavř*;vlev*|lev*~vprav*|prav*;více|víc~méně;ráno~odpoledne~večer*~noc*|noci;hork*|tepl*~studen*|zim*;začín*|zača*~konč*|skonč*;muž*~žen*;bratr*~sestr*;otec|otc*~matk*;syn*~dcer*;velk*~mal*;dobr*~špatn*;čern*~bíl*~červen*~modr*~zelen*~žlut*;zima|zimě|zimní~léto|létě|letní~jaro|jaře~podzim*;snídan*~oběd*~večeř*;snadn*~těžk*;zřídka|málokdy~často|vždy|obvykle;chvál*|pochvál*~kritiz*|zkritiz*|pokár*|kár*;málo~mnoho|hodně;nahoře~dole;poledne|v poledne~půlnoc|o půlnoci;uzdrav*|zdrav*~onemocně*|nemocn*;udělal zkoušku|složil|složila~propadl|propadla;bohat*~chud*;siln*~slab*;rychl*~pomal*;těžk*~lehk*;tlust*~tenk*|huben*;širok*~úzk*;čist*~špinav*;mokr*|vlhk*~such*;sladk*~slan*~kysel*~hořk*;hlučn*|hlasit*~tich*;drah*|drahý~levn*;šťastn*|vesel*~smutn*|nešťastn*;přijal do práce|zaměstna*~propust*|vyhod*;krásn*|hezk*~ošklivý|ošklivá|ošklivé;směj*|smál*~pláč*|plak*;přítel|přátel*~nepřítel|nepřátel*;dlouh*~krátk*;star*~nov*;vítězst*~porážk*;zisk*~ztrát*;pronajímatel*~nájemn*;rost*|stoup*|vzrost*~kles*|poklesl*;otevír*|otvír*~zavír*;přijíž*|přijel*|přišel|přišla~odjíž*|odjel*|odešel|odešla',
    converses: 'před~po;koupi*~proda*',
    and: 'a|i|nebo',
    inflects: true,
    formerly: 'dříve|kdysi',
    past: '[^ ]{2,}l[aioy]?',
    noonAndMidnight: 'poledne~půlnoc|půlnoci',
    half: 'půl',
  },
  ro: {
    script: 'Latin',
    common: 'și|este|un|o|în|de|la|cu|mea|meu|mele|pe|am|are|sunt|pentru|că|din|nu|se|ea|el|lui|fiecare|mai',
    verbs:
      'este|are|locuiește|trăiește|lucrează|iubește|bea|mănâncă|joacă|vorbește|studiază|conduce|deține|cunoaște|fumează',
    numbers:
      'doi|două;trei;patru;cinci;șase;șapte;opt;nouă;zece;unsprezece;doisprezece|douăsprezece;treisprezece;paisprezece;cincisprezece;șaisprezece;șaptesprezece;optsprezece;nouăsprezece',
    tens: 'douăzeci;treizeci;patruzeci;cincizeci;șaizeci;șaptezeci;optzeci;nouăzeci;sută|o sută;mie|mii',
    one: 'un|o|una|unu',
    negations: 'nu|n|niciodată|niciun|nicio|nimic|nimeni|fără|nici',
    besideNegations: 'mai|deloc',
    affirmations: 'nu numai|nu doar|fără un sfert|fără cinci|fără zece|fără douăzeci',
    opposites:
      'place|plac|iube*|ador*~ură*|urăsc|detest*|displac*;permis*|legal*~interzis*|ilegal*;pornit*|aprins*~oprit*|stins*;deschis*|deschid*~închis*|închid*;stâng*~dreapt*|drept*;mai mult~mai puțin;dimineaț*~după-amiaz*~sear*~noapte*;cald*~rece|frig*;înce*~termin*|sfârș*;bărbat*~feme*;frate*~sor*;tată*|tat*~mam*;fiu*~fiic*;mare|mari~mic*;bun*|bine~rău|rea;negr*~alb*~roș*~albastr*~verde~galben*;iarn*~var*|vară~primăvar*~toamn*;mic dejun~prânz~cină;ușor~greu;azi~mâine~ieri;rareori~adesea|des|mereu|întotdeauna;lăud*|laud*~critic*|certat|certă;puțini|puține~mulți|multe;sus~jos;amiază|prânz~miezul nopții;vindecat*|sănăto*~îmbolnăv*|bolnav*;reușit|promovat~picat|eșuat;bogat*~sărac*;puternic*~slab*;rapid*|repede~lent*|încet;greu|grea~ușor|ușoară;gros|groasă~subțire;curat*~murdar*;ud|udă~uscat*;dulce~sărat*~acru|acră~amar*;zgomoto*~liniștit*;scump*~ieftin*;fericit*|vesel*~trist*|nefericit*;angajat|angajată|angajează~concediat*|concediază;frumos|frumoasă~urât*;prieten*~dușman*;lung|lungă~scurt*;vechi|veche~nou|nouă;victorie|victoria~înfrângere*;crește|cresc|crescut~scade|scad|scăzut;ajunge|sosește|sosit|ajuns~pleacă|plecat',
    converses: 'înainte~după;cump*~vând*|vind*|vândut*',
    and: 'și|sau',
    noonAndMidnight: 'amiază|prânz~miezul nopții',
    half: 'jumătate',
  },
  hu: {
    script: 'Latin',
    common: 'a|az|és|egy|hogy|van|volt|én|ez|meg|is|minden|vagyok|nekem|az|ki|de|csak|havonta',
    verbs: 'van|lakik|dolgozik|szeret|iszik|eszik|játszik|beszél|tanul|vezet|ismer|dohányzik',
    numbers:
      'két|kettő;három;négy;öt;hat;hét;nyolc;kilenc;tíz;tizenegy;tizenkét|tizenkettő;tizenhárom;tizennégy;tizenöt;tizenhat;tizenhét;tizennyolc;tizenkilenc',
    tens: 'húsz|huszon-;harminc;negyven;ötven;hatvan;hetven;nyolcvan;kilencven;száz;ezer',
    tensWithUnits: 'tu',
    numberEndings:
      '>kor|>ig|>ra|>re|>tól|>től|>an|>en|>ban|>ben|>ból|>ből|>nak|>nek|>szor|>szer|>ször|>et|>at|>ot',
    one: 'egy|egyik',
    negations: 'nem|sem|nincs|nincsen|ne|soha|senki|semmi|nélkül',
    besideNegations: 'már|többé|is',
    affirmations: 'nem csak|nemcsak',
    opposites:
      'szeret*|imád*~utál*|gyűlöl*;szabad|engedélyez*~tilos|tilt*;be|bekapcsol*~ki|kikapcsol*;nyitva|nyit*~zárva|zár*;bal~jobb;több~kevesebb;reggel*~délután*~este~éjszaka;meleg*|forró~hideg*;férfi*~nő|nők;testvér*~nővér*;ap*~any*;nagy*~kis|kicsi;jó*~rossz*;fekete~fehér~piros|vörös~kék~zöld~sárga;tél*|téli~nyár*|nyári~tavasz*~ősz*;reggeli*~ebéd*~vacsor*;könnyű~nehéz;ritkán~gyakran|mindig|általában;dicsér*|megdicsér*~kritizál*|szid*|megszid*|bírál*;kevés|kevesen~sok|sokan;fent|fenn~lent|lenn;délben~éjfélkor;meggyógyult|egészséges~megbetegedett|beteg;átment|sikerült~megbukott|elbukott;gazdag*~szegény*;erős*~gyenge*|gyönge;gyors*~lassú*|lassan;nehéz~könnyű;vastag*~vékony*;széles*~keskeny*;tiszta~piszkos|koszos;nedves|vizes~száraz;édes~sós~savanyú~keserű;hangos*~csendes*|halk*;drága|drágább~olcsó|olcsóbb;boldog*|vidám*~szomorú*;felvett|felvették|alkalmaz*~elbocsát*|kirúg*;szép|gyönyörű~csúnya|ronda;ébren~alszik;nevet*~sír*;barát*~ellenség*;hosszú~rövid;régi|öreg~új;győz*~vereség*;nő|nőnek|emelked*~csökken*|esnek|esik;kinyit*|nyit|nyitnak~bezár*|zár|zárnak;kezdőd*|kezd*~végződ*|befejez*|abbahagy*;érkez*|megérkez*~indul*|elindul*',
    converses: 'előtt~után;vesz*|vett*|vásárol*~elad*',
    and: 'és|vagy',
    inflects: true,
    noonAndMidnight: 'dél|délben~éjfél|éjfélkor',
    half: 'fél',
  },
  tr: {
    script: 'Latin',
    common:
      've|bir|bu|da|de|için|ile|çok|var|benim|olan|gibi|daha|ben|o|her|değil|ya|kadar|ye|in|ın|yi|yı|yü|nin|nın|mi',
    verbs: 'yaşıyor|oturuyor|çalışıyor|seviyor|içiyor|yiyor|oynuyor|konuşuyor|okuyor|biliyor|içer|yer|sever',
    numbers:
      'iki;üç;dört|dörd-;beş;altı;yedi;sekiz;dokuz;on;on bir;on iki|düzine;on üç;on dört;on beş;on altı;on yedi;on sekiz;on dokuz',
    tens: 'yirmi;otuz;kırk;elli;altmış;yetmiş;seksen;doksan;yüz;bin',
    numberEndings: '>de|>da|>te|>ta|>den|>dan|>ten|>tan|>e|>a|>ye|>ya|>i|>ı|>ü|>yi|>yı',
    one: 'bir',
    negations:
      'değil*|yok|asla|hiçbir|olmadan|hayır|*mıyor|*miyor|*muyor|*müyor|*mıyorum|*miyorum|*muyorum|*müyorum|*mıyoruz|*miyoruz|*mıyorlar|*miyorlar|*madı|*medi|*madım|*medim|*madık|*medik|*madılar|*mediler|*maz|*mez|*mam|*mem|*mayacak|*meyecek|*mamış|*memiş|*mayın|*meyin|*sız|*siz|*suz|*süz|*madan|*meden',
    besideNegations: 'artık|hiç',
    affirmations: 'yalnızca değil|sadece değil|deniz|temiz|biz|siz|cam|tam|akşam|önem|dönem',
    opposites:
      'sev*|bayıl*|hoşlan*~nefret|tiksin*;izin*|serbest|yasal~yasak*|yasadışı;açık*|aç*~kapalı*|kapat*;sol*~sağ*;fazla|çok~az;art*|yüksel*~azal*|düş*;kabul~ret|redd*;kazan*~kaybet*|kaybed*;sabah*~öğle*~akşam*~gece*;sıcak*~soğuk*;başla*~bit*|dur*;doğru~yanlış;gel*~git*|gid*;erkek*|adam*~kadın*;büyük*~küçük*;iyi*~kötü*;kolay*~zor*;dolu~boş;siyah*|kara~beyaz*~kırmızı*~mavi*~yeşil*~sarı*~kahve*|gri*;kuzey*~güney*~doğu*~batı*;evli~boşanmış~bekar|bekâr;baba*~anne*;oğl*~kız*;dün~bugün~yarın;ilk*~son*;kış*~yaz*~ilkbahar*~sonbahar*;kahvaltı*~öğle yemeği~akşam yemeği;erken*~geç*;yüksek*~alçak*|düşük*;güvenli~tehlikeli;hayatta~öldü|ölü;bekar|bekâr~evli;nadiren|seyrek|ender~sık|sıksık|genellikle|hep|her zaman;öv*~eleştir*|azarla*;birkaç|az~çok|birçok;yukarıda|üst katta|üst kat~aşağıda|alt katta|alt kat;öğlen|öğleyin~gece yarısı|geceyarısı;iyileş*|sağlıklı~hastalan*|hasta;geçti|geçtim|başardı|başarılı~kaldı|kaldım|başarısız|başaramadı;açıl*|açıyor*|açtı*~kapan*|kapat*|kapıyor*|kapandı*;zengin*~fakir*|yoksul*;güçlü*|kuvvetli*~zayıf*|güçsüz*;hızlı*|çabuk~yavaş*;ağır*~hafif*;kalın*~ince*;geniş*~dar;temiz*~kirli*|pis;ıslak*|nemli~kuru;tatlı*~tuzlu*~ekşi*~acı*;gürültülü*~sessiz*|sakin;pahalı*~ucuz*;mutlu*|neşeli*~üzgün*|mutsuz*;işe alındı|işe aldı~işten çıkarıldı|kovuldu|kovdu;güzel*~çirkin*;uyanık*~uyuyor*;gül|güldü|gülüyor~ağla*;arkadaş*|dost*~düşman*;uzun*~kısa*;yeni*~eski*;zafer*~yenilgi*;zorunlu*~isteğe bağlı|seçmeli;kar|kâr|kârı~zarar*;yükseliyor|yükseldi|artıyor|arttı|çıktı~düşüyor|düştü|azalıyor|azaldı|indi;başlıyor|başladı~bitiyor|bitti|sona erdi;geldi|geliyor|varıyor|vardı|ulaştı~gitti|gidiyor|kalkıyor|kalktı|ayrıldı;sadece|yalnızca~dışında herkes|hariç herkes',
    converses: 'önce~sonra;al*|satın~sat*',
    afterNames: 'yaşıyor*|oturuyor*',
    and: 've|veya|ile',
    inflects: true,
    passive: '~*tarafından',
    formerly: 'eskiden',
    past: '[^ ]+[dt][ıiuü](?:m|n|k|lar|ler)?',
    noonAndMidnight: 'öğle|öğlen|öğleyin~gece yarısı',
    half: 'yarım',
  },
  vi: {
    script: 'Latin',
    common:
      'tôi|không|thích|mùi|ăn|của|và|là|có|một|được|trong|cho|với|các|những|này|đã|ở|người|em|anh|chị|ông|bà|sống|mỗi|vào',
    numbers:
      'hai;ba;bốn|tư;năm;sáu;bảy|bẩy;tám;chín;mười;mười một;mười hai;mười ba;mười bốn;mười lăm;mười sáu;mười bảy;mười tám;mười chín',
    tens: 'hai mươi;ba mươi;bốn mươi;năm mươi;sáu mươi;bảy mươi;tám mươi;chín mươi;trăm;nghìn|ngàn',
    one: 'một',
    negations: 'không|chưa|chẳng|chả|đừng|cấm',
    besideNegations: 'còn|nữa|hề',
    affirmations: 'không chỉ|không những|không khí|hàng không|không gian|không quân',
    opposites:
      'thích|yêu|mê~ghét|căm;cho phép|được phép~cấm;bật|mở~tắt|đóng;trái~phải;nhiều~ít;tăng~giảm;đồng ý|chấp nhận~từ chối;thắng~thua;sáng~trưa~chiều~tối|đêm;nóng~lạnh;bắt đầu~kết thúc|dừng;đúng~sai;đến~đi|rời;đàn ông|nam~phụ nữ|nữ;bố|cha|ba~mẹ|má;con trai~con gái;chồng~vợ;sống~chết;sớm~muộn;cao~thấp;lớn|to~nhỏ|bé;tốt~xấu;dễ~khó;đầy~trống;đen~trắng~đỏ~xanh~vàng~nâu|xám;bắc~nam~đông~tây;hôm qua~hôm nay~ngày mai;đầu tiên~cuối cùng;anh~chị;mùa đông~mùa hè|mùa hạ~mùa xuân~mùa thu;bữa sáng~bữa trưa~bữa tối;hiếm khi~thường|luôn|thường xuyên;khen~chê|phê bình|chỉ trích|mắng;trên lầu|trên nhà~dưới nhà|dưới lầu;giữa trưa|buổi trưa~nửa đêm;khỏe|khỏi bệnh~ốm|bị bệnh|bệnh;đỗ|đậu~trượt|rớt;giàu~nghèo;mạnh~yếu;nhanh~chậm;nặng~nhẹ;dày~mỏng;rộng~hẹp;sạch~bẩn|dơ;ướt~khô;ngọt~mặn~chua~đắng;ồn|ồn ào~yên tĩnh|im lặng;đắt|mắc~rẻ;vui|hạnh phúc~buồn;đẹp~xấu;cười~khóc;bạn bè~kẻ thù;dài~ngắn;cũ|già~mới|trẻ',
    converses: 'trước~sau;mua~bán',
    beforeNames: 'sống ở|ở tại|tên là|tên',
    and: 'và|hoặc|với',
    formerly: 'trước đây|ngày trước',
  },
  id: {
    script: 'Latin',
    common:
      'yang|dan|di|saya|ini|itu|dengan|untuk|dari|adalah|ke|pada|dia|akan|ada|punya|setiap|kami|mereka|sudah|kepada|seorang|sedang',
    verbs: 'tinggal|bekerja|makan|minum|bermain|berbicara|belajar|memiliki|mengenal|merokok',
    numbers:
      'dua|berdua;tiga|bertiga;empat|berempat;lima|berlima;enam|berenam;tujuh|bertujuh;delapan|lapan;sembilan;sepuluh;sebelas;dua belas;tiga belas;empat belas;lima belas;enam belas;tujuh belas;delapan belas;sembilan belas',
    tens: 'dua puluh;tiga puluh;empat puluh;lima puluh;enam puluh;tujuh puluh;delapan puluh;sembilan puluh;seratus|ratus;seribu|ribu',
    one: 'satu|seekor|seorang|sebuah',
    negations: 'tidak|bukan|belum|jangan|tanpa|tak|tiada|takkan|nggak|gak',
    besideNegations: 'lagi|pernah',
    affirmations: 'tidak hanya|bukan hanya|tidak apa',
    opposites:
      'suka|menyukai|cinta|mencintai~benci|membenci;boleh|diizinkan|diperbolehkan|legal~dilarang|terlarang|ilegal;nyala|menyala|hidup|aktif~mati|padam|nonaktif;buka|dibuka|terbuka~tutup|ditutup|tertutup;kiri~kanan;lebih~kurang;naik|meningkat|bertambah~turun|menurun|berkurang;menerima|setuju~menolak|tolak;menang~kalah;pagi~siang~sore~malam;panas|hangat~dingin;mulai~berhenti|selesai;benar~salah;datang|tiba~pergi|berangkat;pria|lelaki|laki~wanita|perempuan;ayah|bapak~ibu;suami~istri;awal~akhir;tinggi~rendah;besar~kecil;baik~buruk;mudah~sulit;penuh~kosong;hitam~putih~merah~biru~hijau~kuning~coklat|abu;utara~selatan~timur~barat;kemarin~besok;pertama~kedua~ketiga~terakhir;menikah~bercerai~lajang;dalam~luar;musim dingin~musim panas~musim semi~musim gugur;sarapan~makan siang~makan malam;jarang~sering|selalu|biasanya;memuji|dipuji~mengkritik|dikritik|memarahi|dimarahi;sedikit~banyak;di lantai atas~di lantai bawah;tengah hari~tengah malam;sembuh|sehat~sakit;lulus|berhasil~gagal;kaya~miskin;kuat~lemah;cepat~lambat|pelan;berat~ringan;tebal~tipis;lebar|luas~sempit;bersih~kotor;basah|lembap~kering;manis~asin~asam~pahit;bising|berisik~tenang|sunyi|sepi;mahal~murah;bahagia|senang|gembira~sedih;dipekerjakan|merekrut~dipecat|memecat;cantik|indah~jelek;bangun|terjaga~tidur;tertawa~menangis;teman|sahabat~musuh;panjang~pendek;lama|tua~baru|muda;kemenangan~kekalahan;untung~rugi;wajib~opsional|sukarela;membuka~menutup;tiba~berangkat',
    converses: 'sebelum~sesudah|setelah;membeli|beli~menjual|jual;meminjamkan~meminjam;atas~bawah',
    beforeNames: 'tinggal di|bernama|nama saya',
    and: 'dan|atau|serta',
    noonAndMidnight: 'tengah hari~tengah malam',
    half: 'setengah',
  },
  ru: {
    script: 'Cyrillic',
    common:
      'за|мы|нас|и|в|на|я|что|он|она|это|как|мой|моя|моё|мне|меня|у|есть|был|была|для|его|её|они|живёт|живет|по|из|с|к|от|каждый',
    numbers:
      'два|две|двух|двое|двумя|двум;три|трёх|трех|трое|тремя;четыре|четырёх|четырех|четверо;пять|пяти|пятеро;шесть|шести|шестеро;семь|семи|семеро;восемь|восьми;девять|девяти;десять|десяти;одиннадцать;двенадцать|дюжина;тринадцать;четырнадцать;пятнадцать;шестнадцать;семнадцать;восемнадцать;девятнадцать',
    tens: 'двадцать;тридцать;сорок|сорока;пятьдесят|пятидесяти;шестьдесят|шестидесяти;семьдесят|семидесяти;восемьдесят|восьмидесяти;девяносто|девяноста;сто|ста;тысяча|тысячи|тысяч|тысячу',
    numberEndings: 'ь>и|ь>ью',
    hundreds: 'двести;триста;четыреста;пятьсот;шестьсот;семьсот;восемьсот;девятьсот',
    ordinals:
      'перв*;втор*;трети*|третье*|третья|третью;четверт*|четвёрт*;пят*;шест*;седьм*;восьм*;девят*;десят*;одиннадцат*;двенадцат*',
    one: 'один|одна|одно|одну|одного|одной|одному',
    negations: 'не|нет|никогда|никто|никого|ничего|никак*|ни|без|нельзя|нету|невозможн*|некому|негде',
    besideNegations: 'больше|уже|совсем',
    affirmations:
      'не только|не раз|без сомнения|не просто|без четверти|без пяти|без десяти|без пятнадцати|без двадцати',
    opposites:
      'доброкачественн*~злокачественн*;положительн*~отрицательн*;я должен|я должна~мне должен|мне должна|должен мне|должна мне;я одолжил|я одолжила~мне одолжил|мне одолжила|одолжил мне|одолжила мне;любл*|люби*|нрав*|обожа*~ненави*|терпеть не;разреш*|можно|законн*|дозвол*~запре*|запрещ*|незаконн*|воспрещ*;включ*~выключ*|отключ*;откры*~закры*;слева|лев*~справа|прав*;больше|более~меньше|менее;раст*|вырос*|увелич*|повыс*|повыш*~пада*|упа*|уменьш*|сниз*|сниж*|пониз*;приня*|соглас*|одобр*~отказ*|отклон*|отверг*;выигр*|побед*~проигр*;утр*~днём|днем|дня~вечер*~ноч*;горяч*|жарк*|тепл*~холодн*;нача*|начин*~конч*|законч*|прекра*|останов*;правд*|верн*~ложь|ложн*|неверн*;приш*|приех*|приез*|прибы*~уш*|уех*|уез*|отбы*;мужчин*~женщин*;мальчик*~девочк*;брат*~сестр*;отец|отц*|пап*~мать|мам*|матер*;сын*~доч*;муж|мужа|мужем~жена|жены|женой;дяд*~тёт*|тет*;жив*~мёртв*|мертв*|умер*;безопасн*~опасн*|небезопасн*;рано|ранн*~поздн*;высок*~низк*;больш*~маленьк*;хорош*~плох*;лёгк*|легк*|прост*~трудн*|сложн*;полн*~пуст*;чёрн*|черн*~бел*~красн*~син*|голуб*~зелён*|зелен*~жёлт*|желт*~коричнев*|сер*;север*~юг*|южн*~восто*~запад*;перв*~втор*~трет*~послед*;весн*|весен*~лет*~осен*~зим*;завтрак*~обед*~ужин*;вчера~сегодня~завтра;женат*|замуж*~развед*~холост*;внутри~снаружи;одолжил* у~одолжил* кому;редко|изредка~часто|всегда|обычно;хвал*|похвал*~критик*|раскритик*|руга*|отруга*|поруга*|осуди*;мало|немногие~много|многие;наверху|вверху~внизу;полдень|в полдень~полночь|в полночь;выздорове*|здоров*~заболе*|болен|больн*|болеет;сдал|сдала|сдали~провалил*|завалил*;богат*~бедн*;сильн*~слаб*;быстр*~медленн*;тяжёл*|тяжел*~легк*|лёгк*;толст*~тонк*|худ*;широк*~узк*;чист*~грязн*;мокр*|влажн*~сух*;сладк*~солён*|солен*~кисл*~горьк*;громк*|шумн*~тих*;дорог*|дорогой|дорогая~дешёв*|дешев*;счастлив*|весёл*|весел*~грустн*|печальн*|несчастн*;наня*|нанима*~уволи*|увольн*;красив*~некрасив*|уродлив*;сме*|смея*~плач*|плак*;друг|друзья|подруга~враг|враги;длинн*~коротк*;стар*~нов*;молод*~пожил*;побед*~пораж*;прибыл*~убыт*;арендодател*~арендатор*;обязательн*~добровольн*|необязательн*;растут|растёт|растет|выросли|выросла~падают|падает|упали|упала|снизились;открыва*|открыл*|открыт*~закрыва*|закрыл*|закрыт*;прибыва*|приезжа*|приход*|прилета*~отправля*|уезжа*|уход*|улета*|отход*;только~все кроме;могу|может|могут|можем|можно|умею|умеет~невозможно|неспособ*',
    converses: 'до|перед~после;купи*|покупа*~прода*;над~под;дал*|даёт~взял*|берёт;старше~младше|моложе',
    beforeNames: 'живу в|живёт в|живет в|зовут|из',
    and: 'и|или|да|а',
    inflects: true,
    determiners:
      'мой|моя|моё|мои|моего|мою|моей|моему|моим|моих|твой|твоя|твоё|твои|твоего|твою|твоей|твоему|наш|наша|наше|наши|нашего|нашу|нашей|нашему|нашим|ваш|ваша|вашего|вашу|вашей|вашему|свой|своя|своего|свою|своей|своему|его|её|их',
    formerly: 'раньше|прежде|ранее|когда то',
    past: '[^ ]{2,}л[аои]?(?:сь|ся)?',
    half: 'половиной|половина|половину|пол~полтора|полторы',
    noonAndMidnight: 'полдень~полночь',
  },
  uk: {
    script: 'Cyrillic',
    common:
      'і|та|в|у|на|я|що|він|вона|це|як|мій|моя|моє|мені|мене|є|був|була|для|його|її|вони|живе|за|зі|до|від|кожен|ї',
    numbers:
      'два|дві|двох|двоє;три|трьох|троє;чотири|чотирьох;пять|пяти|пятьох;шість|шести|шістьох;сім|семи|сімох;вісім|восьми|вісьмох;девять;десять;одинадцять;дванадцять;тринадцять;чотирнадцять;пятнадцять;шістнадцять;сімнадцять;вісімнадцять;девятнадцять',
    tens: 'двадцять;тридцять;сорок;пятдесят|пятдесяти;шістдесят|шістдесяти;сімдесят|сімдесяти;вісімдесят|вісімдесяти;девяносто|девяноста;сто;тисяча|тисячі|тисяч',
    numberEndings: 'ь>и|>ьох',
    hundreds: 'двісті;триста;чотириста;пятсот;шістсот;сімсот;вісімсот;девятсот',
    ordinals:
      'перш*;другий|другої|другій|другому;треті*|третьо*|третя|третю|третє;четверт*;пят*;шост*;сьом*;восьм*;девят*;десят*;одинадцят*;дванадцят*;тринадцят*;чотирнадцят*;пятнадцят*;шістнадцят*;сімнадцят*;вісімнадцят*;девятнадцят*;двадцят*',
    one: 'один|одна|одне|одну|одного',
    negations: 'не|ні|немає|нема|ніколи|ніхто|нічого|без|неможлив*|жодн*',
    besideNegations: 'більше|вже|зовсім',
    affirmations: 'не тільки|не лише',
    opposites:
      'любл*|люби*|подоба*|обожню*~ненави*;дозвол*|можна|законн*~заборон*|незаконн*;увімк*|ввімк*~вимк*;відкри*|відчин*~закри*|зачин*;лів*|зліва~прав*|справа;більше~менше;зрос*|збільш*|підвищ*~пад*|зменш*|зниз*|зниж*;прийня*|пого*~відмов*|відхил*;вигра*|перем*~програ*;ранк*|вранці|зранку~дня|вдень~вечор*|ввечері|увечері~ноч*|вночі;гаряч*|тепл*~холодн*;поча*|почин*~закінч*|припин*;чоловік*~жінк*;хлопч*~дівч*;брат*~сестр*;батьк*|тат*~мат*|мам*;син*~доч*|доньк*;висок*~низьк*;велик*~мал*;добр*|хорош*~поган*;легк*~важк*|складн*;чорн*~біл*~червон*~син*|блакит*~зелен*~жовт*;північ*~південь|півдн*~схід|сход*~захід|заход*;перш*~друг*~трет*~останн*;одружен*|заміж*~розлуч*~неодружен*;вчора~сьогодні~завтра;зим*|взимку~літ*|влітку~весн*|навесні~осін*|осен*|восени;снідан*~обід*~вечер*;безпечн*~небезпечн*;рідко|зрідка~часто|завжди|зазвичай;хвал*|похвал*~критик*|розкритик*|сварил*|насварил*|лаял*;мало~багато;нагорі|вгорі~внизу;опівдні~опівночі;одужа*|здоров*~захворі*|хвор*;склав|склала|склали~провалив|провалила|завалив|завалила;багат*~бідн*;сильн*~слабк*;швидк*~повільн*;важк*~легк*;товст*~тонк*|худ*;широк*~вузьк*;чист*~брудн*;мокр*|волог*~сух*;солодк*~солон*~кисл*~гірк*;гучн*|галаслив*~тих*;дорог*~дешев*;щаслив*|весел*~сумн*|нещасн*;найня*~звільни*;гарн*|красив*~негарн*|потворн*;сміє*|смія*~плач*|плака*;друг|друзі|подруга~ворог|вороги;довг*~коротк*;стар*~нов*;перемог*~поразк*;зрост*|росте|ростуть~паде|падають|знижу*;відкрива*|відчиня*~закрива*|зачиня*;прибува*|приїжджа*~відправля*|відʼїжджа*|відходи*;тільки|лише~усі крім|всі крім',
    converses: 'до|перед~після;купи*|купу*~прода*',
    beforeNames: 'живу в|живе в|живе у|живу у|звати',
    and: 'і|й|та|або|чи',
    inflects: true,
    formerly: 'раніше|колись',
    past: '(?!колись )[^ ]{2,}(?:л[аои]|[аиі]в)(?:ся|сь)?',
    noonAndMidnight: 'полудень|опівдні~північ|опівночі',
    half: 'пів|половина|половину',
  },
  bg: {
    script: 'Cyrillic',
    common: 'и|в|на|аз|че|той|тя|това|как|ми|моят|моята|съм|е|беше|за|го|са|се|от|със|всеки|която',
    numbers:
      'два|две|двама;три|трима;четири;пет;шест;седем;осем;девет;десет;единадесет|единайсет;дванадесет|дванайсет;тринадесет|тринайсет;четиринадесет|четиринайсет;петнадесет|петнайсет;шестнадесет|шестнайсет;седемнадесет|седемнайсет;осемнадесет|осемнайсет;деветнадесет|деветнайсет',
    tens: 'двадесет|двайсет;тридесет|трийсет;четиридесет;петдесет;шестдесет;седемдесет;осемдесет;деветдесет;сто;хиляда|хиляди',
    hundreds: 'двеста|двесте;триста;четиристотин;петстотин;шестстотин;седемстотин;осемстотин;деветстотин',
    one: 'един|една|едно',
    negations: 'не|няма|нямам|никога|никой|нищо|без|нито|никакъв|никаква',
    besideNegations: 'вече|повече',
    affirmations: 'не само|без четвърт|без пет|без десет|без петнадесет|без двадесет',
    opposites:
      'обичам|обича|харесв*~мраз*|ненавижд*;разрешен*|позволен*~забран*;включ*~изключ*;отвор*~затвор*;ляв*|наляво~дясн*|надясно;повече~по-малко;сутрин*~следобед*~вечер*~нощ*;топл*|горещ*~студен*;мъж*~жен*;брат*~сестр*;баща*~майк*;голям*~малк*|малък;добр*|добър~лош*;черн*|черен~бял*|бел*~червен*~син*~зелен*~жълт*;зима|зимата~лято|лятото~пролет*~есен*;закуск*~обяд~вечер*;лесн*~трудн*;рядко~често|винаги|обикновено;хвал*|похвал*~критик*|разкритик*|скара*;малко~много;горе~долу;обяд|по обяд~полунощ;оздравя*|здрав*~разболя*|болен|болна;богат*~беден|бедн*;силен|силн*~слаб*;бърз*~бавн*|бавен;тежък|тежк*~лек|лека|леко;дебел*~тънък|тънк*;широк*~тесен|тясн*|тесн*;чист*~мръс*;мокър|мокр*|влаж*~сух*;сладък|сладк*~солен*~кисел*|кисел~горчив*;шум*~тих*;скъп*~евтин*;щастлив*|весел*~тъж*|нещаст*;нае*~уволн*;красив*~грозен|грозн*;приятел*~враг*;дълъг|дълг*~къс|къса|късо;стар*~нов*;победа*~поражени*;раст*~пада*|намаля*;пристига*|пристигна*~замина*|тръгва*|тръгна*',
    converses: 'преди~след;купи*|купув*~прода*',
    and: 'и|или',
    noonAndMidnight: 'обед|обяд~полунощ',
  },
  el: {
    script: 'Greek',
    common: 'και|το|η|ο|να|του|της|με|είναι|μου|στο|στη|για|που|από|τα|τη|έχω|έχει|ένα|μια',
    numbers:
      'δύο|δυο;τρία|τρεις|τριών;τέσσερα|τέσσερις|τεσσάρων;πέντε;έξι;επτά|εφτά;οκτώ|οχτώ;εννέα|εννιά;δέκα;έντεκα;δώδεκα;δεκατρία;δεκατέσσερα;δεκαπέντε;δεκαέξι|δεκάξι;δεκαεπτά|δεκαεφτά;δεκαοκτώ|δεκαοχτώ;δεκαεννέα|δεκαεννιά',
    tens: 'είκοσι;τριάντα;σαράντα;πενήντα;εξήντα;εβδομήντα;ογδόντα;ενενήντα;εκατό|εκατόν;χίλια|χίλιες|χίλιοι|χιλιάδες',
    numberEndings: 'α>ες|α>οι|α>ους|α>ων',
    hundreds:
      'διακόσια;τριακόσια;τετρακόσια;πεντακόσια;εξακόσια;επτακόσια|εφτακόσια;οκτακόσια|οχτακόσια;εννιακόσια|εννεακόσια',
    one: 'ένα|ένας|μία|μια|έναν',
    negations: 'δεν|δε|μη|μην|όχι|ποτέ|χωρίς|κανένας|καμία|κανένα|τίποτα|ούτε',
    besideNegations: 'πια|πλέον',
    affirmations: 'όχι μόνο',
    opposites:
      'αγαπ*|αρέσ*|λατρεύ*~μισ*|απεχθάν*|σιχαίν*;επιτρέπ*|νόμιμ*~απαγορεύ*|παράνομ*;αναμμέν*|ανοιχτ*|ανοίγ*~σβησμέν*|κλειστ*|κλείν*;αριστερ*~δεξι*;περισσότερ*~λιγότερ*;πρωί~μεσημέρι|απόγευμα~βράδυ~νύχτα;ζεστ*~κρύ*;άντρ*|άνδρ*~γυναίκ*;αδερφός|αδελφός~αδερφή|αδελφή;πατέρα*~μητέρα*;μεγάλ*~μικρ*;καλ*~κακ*;μαύρ*~άσπρ*|λευκ*~κόκκιν*~μπλε~πράσιν*~κίτριν*;χειμών*~καλοκαίρι~άνοιξη~φθινόπωρο;πρωινό~μεσημεριανό~βραδινό;εύκολ*~δύσκολ*;σπάνια~συχνά|πάντα|συνήθως;επαίνε*|παίνεψ*~κατέκριν*|επέκριν*|μάλωσ*|κριτικ*;λίγοι|λίγες|λίγα~πολλοί|πολλές|πολλά;πάνω~κάτω;μεσημέρι|το μεσημέρι~μεσάνυχτα;θεραπεύτηκε|υγιής~αρρώστησε|άρρωστ*;πέρασε~κόπηκε|απέτυχε;πλούσι*~φτωχ*;δυνατ*|ισχυρ*~αδύναμ*;γρήγορ*~αργ*|αργά;βαρύ*|βαριά~ελαφρ*;παχύ*|χοντρ*~λεπτ*;πλατύ*|φαρδύ*~στεν*;καθαρ*~βρώμικ*;βρεγμέν*|υγρ*~στεγν*|ξηρ*;γλυκ*~αλμυρ*~ξιν*~πικρ*;ακριβ*~φθην*|φτην*;χαρούμεν*|ευτυχισμέν*~λυπημέν*|δυστυχισμέν*;όμορφ*~άσχημ*;φίλος|φίλη|φίλοι~εχθρός|εχθροί;μακρύ*|μακριά~κοντ*;παλι*~νέος|νέα|καινούρι*;νίκη~ήττα;αυξάν*|ανεβαίν*|αυξήθηκ*~μειών*|πέφτ*|μειώθηκ*;φτάν*|έφτασ*|έρχ*~φεύγ*|έφυγ*|αναχωρ*',
    converses: 'πριν~μετά;αγορ*|αγόρ*~πουλ*|πούλ*',
    and: 'και|κι|ή',
    inflects: true,
    noonAndMidnight: 'μεσημέρι~μεσάνυχτα',
    half: 'μισή|μισό|μισού',
  },
  ar: {
    script: 'Arabic',
    common: 'في|من|على|إلى|أن|هذا|هذه|التي|الذي|كان|أنا|هو|هي|مع|عن|كل|لدي',
    numbers:
      'اثنان|اثنين|اثنتان|اثنتين;ثلاثة|ثلاث;أربعة|أربع;خمسة|خمس;ستة|ست;سبعة|سبع;ثمانية|ثماني|ثمان;تسعة|تسع;عشرة|عشر;أحد عشر;اثنا عشر;ثلاثة عشر;أربعة عشر;خمسة عشر;ستة عشر;سبعة عشر;ثمانية عشر;تسعة عشر',
    tens: 'عشرون|عشرين;ثلاثون|ثلاثين;أربعون|أربعين;خمسون|خمسين;ستون|ستين;سبعون|سبعين;ثمانون|ثمانين;تسعون|تسعين;مئة|مائة;ألف|آلاف;ألفان|ألفين|ألفا',
    tensWithUnits: 'u وt',
    hundreds: 'مئتان|مئتين|مئتا|مائتان|مائتين|مائتا',
    one: 'واحد|واحدة',
    ordinals:
      'الأولى|الأول|الواحدة;الثانية|الثاني;الثالثة|الثالث;الرابعة|الرابع;الخامسة|الخامس;السادسة|السادس;السابعة|السابع;الثامنة|الثامن;التاسعة|التاسع;العاشرة|العاشر;الحادية عشرة;الثانية عشرة',
    negations: 'لا|لم|لن|ليس|ليست|لست|ليسوا|غير|دون|بدون|بلا|عدم|أبدا|أبدًا|مش|مو|ما|لسنا|ممنوع',
    affirmations: 'لا بد|لا سيما|لا يزال|لا تزال|لا أزال|ما زال|ما زلت|ما زالت|لا شك|ليس فقط',
    opposites:
      'أحب|يحب|تحب|نحب|أعشق|يعشق|تعشق|يعجبني~أكره|يكره|تكره|نكره|أبغض;مسموح|يسمح|مباح|قانوني~ممنوع|يمنع|محظور|محرم;مفتوح|مفتوحة|يفتح|تفتح~مغلق|مغلقة|يغلق|تغلق;تشغيل|يعمل~إيقاف|متوقف;يسار|اليسار|اليسرى|الأيسر~يمين|اليمين|اليمنى|الأيمن;أكثر~أقل;ارتفع|ارتفعت|زاد|زادت~انخفض|انخفضت|نقص|نقصت;قبلت|وافق|وافقت~رفض|رفضت;فاز|فازت|ربح~خسر|خسرت;صباحا|صباحًا|الصباح~مساء|مساءً|المساء~الليل|ليلا|ليلًا~الظهر|ظهرا;حار|حارة|ساخن|ساخنة~بارد|باردة;بدأ|بدأت|يبدأ~انتهى|انتهت|توقف|توقفت|ينتهي;وصل|وصلت|دخل|دخلت~غادر|غادرت|خرج|خرجت;رجل|الرجل~امرأة|المرأة;ولد|صبي|الولد|الصبي~بنت|فتاة|البنت|الفتاة;أخي|أخ|أخوه~أختي|أخت|أخته;أبي|أب|والدي~أمي|أم|والدتي;ابني|ابن~ابنتي|ابنة;زوجي~زوجتي;حي~ميت;آمن|آمنة~خطير|خطيرة;مبكرا|مبكرًا|مبكرة|مبكر|باكرا|باكرًا~متأخرا|متأخرًا|متأخرة|متأخر;عال|عالي|عالية|مرتفع~منخفض|منخفضة;كبير|كبيرة~صغير|صغيرة;جيد|جيدة~سيئ|سيئة;سهل|سهلة~صعب|صعبة;أسود|سوداء~أبيض|بيضاء~أحمر|حمراء~أزرق|زرقاء~أخضر|خضراء~أصفر|صفراء~بني|رمادي;شمال|الشمال~جنوب|الجنوب~شرق|الشرق~غرب|الغرب;أمس~اليوم~غدا|غدًا;متزوج|متزوجة~مطلق|مطلقة~أعزب|عزباء;داخل~خارج;الشتاء|شتاء~الصيف|صيف~الربيع~الخريف;الفطور|الإفطار~الغداء~العشاء;الأولى|الأول~الثانية|الثاني~الثالثة|الثالث~الرابعة|الرابع~الخامسة|الخامس~السادسة|السادس~السابعة|السابع~الثامنة|الثامن~التاسعة|التاسع~العاشرة|العاشر;نادرا|نادرًا~غالبا|غالبًا|دائما|دائمًا|كثيرا ما;مدح|مدحت|أثنى|أثنت|امتدح~انتقد|انتقدت|وبخ|وبخت;قليل|قليلون|القليل~كثير|كثيرون|الكثير;ممكن|ممكنة~مستحيل|مستحيلة;يصل|تصل|وصل|وصلت~يغادر|تغادر|غادر|غادرت|ينطلق;شفي|شفيت|تعافى|تعافت~مرض|مرضت|مريض|مريضة;نجح|نجحت~رسب|رسبت|فشل|فشلت;غني|غنية~فقير|فقيرة;قوي|قوية~ضعيف|ضعيفة;سريع|سريعة|بسرعة~بطيء|بطيئة|ببطء;ثقيل|ثقيلة~خفيف|خفيفة;واسع|واسعة~ضيق|ضيقة;نظيف|نظيفة~قذر|قذرة|وسخ|وسخة;رطب|رطبة|مبلل~جاف|جافة;حلو|حلوة~مالح|مالحة~حامض|حامضة~مر|مرة;صاخب|صاخبة~هادئ|هادئة;غال|غالي|غالية~رخيص|رخيصة;سعيد|سعيدة|مسرور~حزين|حزينة|تعيس;جميلة~قبيحة|قبيح;ضحك|ضحكت|يضحك|تضحك~بكى|بكت|يبكي|تبكي;صديق|صديقي~عدو|عدوي;طويل|طويلة~قصير|قصيرة;قديم|قديمة~جديد|جديدة|حديث|حديثة;ترتفع|يرتفع|تزداد|يزداد~تنخفض|ينخفض|تتراجع|يتراجع;أصغر~أكبر;أطول~أقصر;منتصف الليل~منتصف النهار;إجباري|إجبارية|إلزامي|إلزامية~اختياري|اختيارية',
    converses: 'قبل~بعد;اشترى|اشتريت|يشتري|اشترت~باع|بعت|يبيع|باعت;فوق~تحت',
    names:
      'خليل|جميل|سعيد|رامي|بلال|ياسر|حنان|رنا|دينا|ريم|لينا|أحمد|علي|حسن|حسين|عمر|خالد|سمير|يوسف|إبراهيم|محمود|مصطفى|كريم|طارق|فاطمة|عائشة|مريم|زينب|ليلى|سارة|نور|هدى|منى|سلمى|القاهرة|الإسكندرية|دمشق|حلب|بغداد|البصرة|الرياض|جدة|مكة|دبي|أبوظبي|الدوحة|بيروت|عمان|القدس|غزة|تونس|الجزائر|وهران|الرباط|مراكش|فاس|الدار البيضاء|الخرطوم|صنعاء|الكويت|المنامة|مسقط|باريس|لندن|برلين|روما|مدريد|إسطنبول|طهران|موسكو|نيويورك',
    beforeNames: 'يعيش في|تعيش في|أعيش في|يسكن في|تسكن في|أسكن في|يقيم في|اسمه|اسمها|اسمي',
    and: 'و|أو',
    formerly: 'سابقا',
    noonAndMidnight: 'الظهر|ظهرا~منتصف الليل',
    half: 'نصف',
  },
  fa: {
    script: 'Arabic',
    common: 'در|به|از|که|این|را|است|من|آن|برای|با|یک|های|می|ام|او|دارم|هر|زندگی',
    numbers: 'دو;سه;چهار;پنج;شش;هفت;هشت;نه;ده;یازده;دوازده;سیزده;چهارده;پانزده;شانزده;هفده;هجده;نوزده',
    tens: 'بیست;سی;چهل;پنجاه;شصت;هفتاد;هشتاد;نود;صد;هزار',
    hundreds: 'دویست;سیصد;چهارصد;پانصد;ششصد;هفتصد;هشتصد;نهصد',
    one: 'یک|یکی',
    negations: 'نیست|نیستم|نیستند|نه|بدون|هرگز|هیچ|نمی*|نکن*|ندار*|نخواه*|نشد*|نبود*|ممنوع',
    affirmations: 'نه تنها',
    opposites:
      'دوست|عاشق|عاشقم~متنفر|متنفرم|بیزار|بیزارم;مجاز~ممنوع;روشن~خاموش;باز~بسته;چپ~راست;بیشتر~کمتر;صبح~عصر~شب;گرم|داغ~سرد;مرد~زن;برادرم|برادر~خواهرم|خواهر;پدرم|پدر~مادرم|مادر;بزرگ~کوچک;خوب~بد;سیاه~سفید~قرمز~آبی~سبز~زرد;زمستان~تابستان~بهار~پاییز;صبحانه~ناهار~شام;آسان~سخت;بندرت|به ندرت~اغلب|همیشه|معمولا;تعریف|تحسین|ستایش~انتقاد|سرزنش;کمی|اندکی~بسیاری|خیلی;ممکن~غیرممکن|ناممکن;می‌رسد|میرسد|رسید~حرکت|می‌رود|میرود|رفت;ثروتمند|پولدار~فقیر;قوی~ضعیف;سریع|تند~کند|آهسته;سنگین~سبک;تمیز~کثیف;خیس|مرطوب~خشک;شیرین~شور~ترش~تلخ;گران~ارزان;خوشحال|شاد~غمگین|ناراحت;زیبا|قشنگ~زشت;دوستم~دشمنم;بلند~کوتاه;جدید|نو~قدیمی|کهنه;طبقه بالا~طبقه پایین;نیمه شب~نیمروز|ظهر;قبول~رد|مردود',
    converses: 'قبل~بعد;خرید|خریدم~فروخت|فروختم',
    names:
      'علی|محمد|رضا|حسین|مهدی|امیر|سارا|مریم|فاطمه|زهرا|نرگس|تهران|مشهد|اصفهان|شیراز|تبریز|قم|اهواز|کرج|کابل|هرات',
    beforeNames: 'اسم من|اسمش|نام او',
    and: 'و|یا',
    half: 'نیم|نصف',
  },
  he: {
    script: 'Hebrew',
    common: 'אני|של|את|על|זה|הוא|היא|עם|לי|יש|אל|כל|שלי',
    numbers:
      'שניים|שתיים|שני|שתי;שלושה|שלוש|שלושת;ארבעה|ארבע;חמישה|חמש|חמשת;שישה|שש|ששת;שבעה|שבע;שמונה;תשעה|תשע;עשרה|עשר;אחת עשרה|אחד עשר;שתים עשרה|שנים עשר;שלוש עשרה|שלושה עשר;ארבע עשרה|ארבעה עשר;חמש עשרה|חמישה עשר;שש עשרה|שישה עשר;שבע עשרה|שבעה עשר;שמונה עשרה|שמונה עשר;תשע עשרה|תשעה עשר',
    tens: 'עשרים;שלושים;ארבעים;חמישים;שישים;שבעים;שמונים;תשעים;מאה|מאות;אלף|אלפים;אלפיים',
    numberEndings: 'ה>ת',
    hundreds: 'מאתיים',
    one: 'אחד|אחת',
    negations: 'לא|אין|אינו|אינה|אינני|אינם|איני|בלי|ללא|לעולם|בלתי|אסור|מעולם|שום',
    affirmations: 'לא רק|בלי ספק',
    opposites:
      'אוהב|אוהבת|אוהבים|אהבתי|מחבב~שונא|שונאת|שונאים|שנאתי|מתעב;מותר|חוקי~אסור;דולק|פועל|מופעל~כבוי|מושבת;פתוח|פתוחה|פותח~סגור|סגורה|סוגר;שמאל|שמאלה|השמאלית|השמאלי~ימין|ימינה|הימנית|הימני;יותר~פחות;עלה|עלתה|גדל~ירד|ירדה|קטן;הסכים|קיבל~סירב|דחה;ניצח|ניצחה~הפסיד|הפסידה;בבוקר|בוקר~בצהריים~בערב|ערב~בלילה|לילה;חם|חמה~קר|קרה;התחיל|התחילה|מתחיל~הפסיק|הפסיקה|נגמר|מסתיים;הגיע|הגיעה|נכנס~עזב|עזבה|יצא|יצאה;גבר|הגבר~אישה|האישה;ילד|הילד~ילדה|הילדה;אחי|אח~אחותי|אחות;אבי|אבא~אמי|אמא;בני|בן~בתי|בת;בעלי~אשתי;חי~מת;בטוח|בטוחה~מסוכן|מסוכנת;מוקדם~מאוחר;גבוה|גבוהה~נמוך|נמוכה;גדול|גדולה~קטן|קטנה;טוב|טובה~רע|רעה;קל|קלה~קשה;שחור|שחורה~לבן|לבנה~אדום|אדומה~כחול|כחולה~ירוק|ירוקה~צהוב|צהובה;צפון~דרום~מזרח~מערב;אתמול~היום~מחר;נשוי|נשואה~גרוש|גרושה~רווק|רווקה;חורף|בחורף~קיץ|בקיץ~אביב|באביב~סתיו|בסתיו;ארוחת בוקר~ארוחת צהריים~ארוחת ערב;לעיתים רחוקות|לעתים רחוקות~לעיתים קרובות|תמיד|בדרך כלל;שיבח|שיבחה|החמיא~ביקר|ביקרה|נזף;מעט~הרבה|רבים;למעלה~למטה;בצהריים~בחצות|חצות;אפשרי|אפשר~בלתי אפשרי|אי אפשר;החלים|החלימה|בריא|בריאה~חלה|חלתה|חולה;עבר|עברה|הצליח|הצליחה~נכשל|נכשלה;עשיר|עשירה~עני|ענייה;חזק|חזקה~חלש|חלשה;מהיר|מהירה|מהר~איטי|איטית|לאט;כבד|כבדה~קל|קלה;רחב|רחבה~צר|צרה;נקי|נקייה~מלוכלך|מלוכלכת;רטוב|רטובה~יבש|יבשה;מתוק|מתוקה~מלוח|מלוחה~חמוץ|חמוצה~מר|מרה;רועש|רועשת~שקט|שקטה;יקר|יקרה~זול|זולה;שמח|שמחה|מאושר~עצוב|עצובה;יפה~מכוער|מכוערת;חבר|חברה~אויב;ארוך|ארוכה~קצר|קצרה;ישן|ישנה~חדש|חדשה;מגיע|מגיעה~עוזב|עוזבת|יוצא|יוצאת;עולה|עולים~יורד|יורדים;נפתח|נפתחת~נסגר|נסגרת',
    converses: 'לפני~אחרי;קנה|קנתה|קניתי|קונה~מכר|מכרה|מכרתי|מוכר;מעל~מתחת',
    names:
      'רותי|מירי|אורית|ענת|שירה|מאיה|עדי|גיל|עומר|יונתן|איתי|נעמה|יוסי|דוד|יעקב|אברהם|יצחק|דניאל|אבי|רון|איתן|נועם|אורי|שרה|רחל|לאה|דנה|מיכל|נועה|תמר|רות|יעל|ירושלים|תל אביב|חיפה|אילת|באר שבע|נתניה|אשדוד|אשקלון|רמת גן|הרצליה|נצרת|טבריה|עכו|פריז|לונדון|ברלין|רומא|ניו יורק',
    beforeNames: 'גר ב|גרה ב|שמו|שמה|שמי|קוראים לו|קוראים לה|קוראים לי',
    and: 'ו|או',
    noonAndMidnight: 'הצהריים|צהריים~חצות|בחצות',
    half: 'חצי',
  },
  hi: {
    script: 'Devanagari',
    common: 'है|में|की|के|का|को|से|और|मैं|यह|मेरा|मेरी|हैं|था|ने|पर|एक|हूँ',
    numbers:
      'दो|दोनों;तीन;चार;पांच|पाँच;छह|छः|छ;सात;आठ;नौ;दस;ग्यारह;बारह|दर्जन;तेरह;चौदह;पंद्रह|पन्द्रह;सोलह;सत्रह;अठारह;उन्नीस;बीस;इक्कीस;बाईस;तेईस;चौबीस;पच्चीस;छब्बीस;सत्ताईस;अट्ठाईस;उनतीस;तीस;इकतीस;बत्तीस;तैंतीस;चौंतीस;पैंतीस;छत्तीस;सैंतीस;अड़तीस;उनतालीस;चालीस;इकतालीस;बयालीस;तैंतालीस;चौवालीस|चवालीस;पैंतालीस;छियालीस;सैंतालीस;अड़तालीस;उनचास;पचास;इक्यावन;बावन;तिरपन;चौवन;पचपन;छप्पन;सत्तावन;अट्ठावन;उनसठ;साठ;इकसठ;बासठ;तिरसठ;चौंसठ;पैंसठ;छियासठ;सड़सठ;अड़सठ;उनहत्तर;सत्तर;इकहत्तर;बहत्तर;तिहत्तर;चौहत्तर;पचहत्तर;छिहत्तर;सतहत्तर;अठहत्तर;उन्यासी;अस्सी;इक्यासी;बयासी;तिरासी;चौरासी;पचासी;छियासी;सत्तासी;अट्ठासी;नवासी;नब्बे;इक्यानवे;बानवे;तिरानवे;चौरानवे;पचानवे;छियानवे;सत्तानवे;अट्ठानवे;निन्यानवे',
    tens: 'बीस;तीस;चालीस;पचास;साठ;सत्तर;अस्सी;नब्बे;सौ;हज़ार|हजार',
    one: 'एक',
    negations: 'नहीं|नही|न|ना|मत|बिना|नहि|मना',
    affirmations: 'न केवल|न सिर्फ',
    opposites:
      'पसंद|प्यार|प्रेम|अच्छा~नापसंद|नफरत|नफ़रत|घृणा;अनुमति|इजाज़त|इजाजत|वैध|मान्य~मना|वर्जित|निषिद्ध|प्रतिबंधित|अवैध;चालू~बंद;खुला|खुली|खुले|खुलता|खुलती~बंद;बाएं|बाएँ|बायां|बाईं~दाएं|दाएँ|दायां|दाईं;ज़्यादा|ज्यादा|अधिक~कम;बढ़*~घट*|गिर*;स्वीकार|मंज़ूर|मंजूर~अस्वीकार|इनकार|नामंज़ूर;जीत*~हार*;सुबह~दोपहर~शाम~रात;गर्म|गरम~ठंडा|ठंडी|ठंडे;शुरू~खत्म|ख़त्म|समाप्त;सच|सही~झूठ|गलत|ग़लत;आया|आई|आता|आती~गया|गई|जाता|जाती;आदमी|पुरुष~औरत|महिला;लड़का|लड़के~लड़की|लड़कियां;भाई~बहन;पिता|पापा~माता|मां|माँ;बेटा|बेटे~बेटी;पति~पत्नी;चाचा~चाची;जीवित|ज़िंदा~मृत|मर;सुरक्षित~खतरनाक|असुरक्षित;जल्दी~देर;ऊंचा|ऊँचा~नीचा;बड़ा|बड़ी|बड़े~छोटा|छोटी|छोटे;अच्छा|अच्छी~बुरा|बुरी;आसान~मुश्किल|कठिन;काला|काली|काले~सफेद|सफ़ेद~लाल~नीला|नीली|नीले~हरा|हरी|हरे~पीला|पीली|पीले;उत्तर~दक्षिण~पूर्व~पश्चिम;विवाहित|शादीशुदा~तलाकशुदा~अविवाहित|कुंवारा;अंदर~बाहर;सर्दियों|सर्दी|जाड़े~गर्मियों|गर्मी~बारिश|बरसात~वसंत;नाश्ता~दोपहर का खाना~रात का खाना;सोमवार~मंगलवार~बुधवार~गुरुवार~शुक्रवार~शनिवार~रविवार;शायद ही|कभी कभार~अक्सर|हमेशा|प्रायः;तारीफ|तारीफ़|प्रशंसा~आलोचना|निंदा|डाँट*|डांट*;थोड़े|बहुत कम|कुछ ही~बहुत से|बहुत सारे|कई;संभव|मुमकिन~असंभव|नामुमकिन;पहुँच*|पहुंच*|आती~निकल*|रवाना|छूट*;स्वस्थ|ठीक~बीमार;पास~फेल|असफल;अमीर|धनी~गरीब|ग़रीब;मजबूत|मज़बूत~कमजोर|कमज़ोर;तेज|तेज़~धीमा|धीमी|धीरे;भारी~हल्का|हल्की|हल्के;मोटा|मोटी~पतला|पतली;चौड़ा|चौड़ी~संकरा|संकरी;साफ|साफ़~गंदा|गंदी|गंदे;गीला|गीली~सूखा|सूखी;मीठा|मीठी~नमकीन~खट्टा|खट्टी~कड़वा|कड़वी;महंगा|महँगा|महंगी|महँगी~सस्ता|सस्ती;खुश|ख़ुश|प्रसन्न~दुखी|उदास;सुंदर|सुन्दर~बदसूरत|कुरूप;हँस*|हंस*~रोया|रोई|रोता|रोती|रो;दोस्त|मित्र~दुश्मन|शत्रु;लंबा|लम्बा|लंबी|लम्बी~छोटा|छोटी;नया|नयी|नई|नए~पुराना|पुरानी|पुराने;खुलता|खुलती|खुलते~बंद होता|बंद होती|बंद होते;आधी रात~दोपहर;अनिवार्य~वैकल्पिक|ऐच्छिक',
    converses: 'पहले~बाद;खरीद*|ख़रीद*~बेच*;ऊपर~नीचे',
    names:
      'दिनेश|गणेश|नरेश|मुकेश|अनिल|सुनील|कविता|श्याम|मोहन|सोहन|राहुल|अमित|रवि|विजय|अजय|संजय|राज|सुरेश|रमेश|महेश|गीता|सीता|प्रिया|नेहा|पूजा|अनीता|सुनीता|रीता|मीना|राधा|दिल्ली|मुंबई|कोलकाता|चेन्नई|बेंगलुरु|बैंगलोर|हैदराबाद|पुणे|जयपुर|लखनऊ|कानपुर|नागपुर|इंदौर|भोपाल|पटना|आगरा|वाराणसी|अहमदाबाद|सूरत|लंदन|पेरिस',
    beforeNames: 'नाम',
    afterNames: 'में रह*|में बस*',
    and: 'और|या|तथा|एवं',
    passive: '~*द्वारा',
    formerly: 'पहले',
    past: 'था|थी|थे|थीं',
    half: 'आधा|आधे|आधी~डेढ़',
  },
  zh: {
    script: 'Han',
    common: '',
    numbers: '二|两|兩|贰;三|叁;四;五;六;七;八;九;十;十一;十二;十三;十四;十五;十六;十七;十八;十九',
    tens: '二十;三十;四十;五十;六十;七十;八十;九十;百|一百;千|一千',
    one: '一',
    negations: '不|没|沒|无|無|未|非|勿|别|別|禁止|拒绝',
    affirmations:
      '不治|不振|无条件|無條件|不仅|不但|不只|不过|不過|不错|不久|不断|不同|不如|不管|不论|无论|無論|差不多|对不起|没关系|非常|非洲|未来|未來|别人|特别|特別|分别|区别|性别|个别|级别|告别|别墅|别的|识别|道别|离别|无线|不得不|不禁|不少|并非常',
    // What begins with a word of its own after 不: "is not allergic" has no "but" in it.
    denials:
      '不过敏|不過敏|不过期|不過期|不过夜|不過夜|不过年|不過年|不过节|不過節|不过生日|不過生日|不过圣诞|不过春节|不过量|不過量|不过度|不過度|不过时|不過時|不过热|不過熱|不过关|不過關|不过户|不过冬|不过问|不過問|不过来|不過來|不过去|不過去|不过马路|不过滤|不过境|不过瘾|不同意|不同步|不同居|不断电|不断网|不错过|不禁止|不禁烟|不管理|不久留|不久坐',
    opposites:
      '喜欢|喜歡|爱|愛|热爱~讨厌|討厭|恨|厌恶|不喜欢;允许|允許|准许|可以|合法~禁止|不准|不许|违法|非法;打开|开启|启用|开着~关闭|关掉|停用|关着;开门~关门;饭前|飯前|餐前|睡前|课前|課前|会前|會前|术前|術前|婚前|产前|產前|赛前|賽前|考前~饭后|饭後|飯后|飯後|餐后|餐後|睡后|睡後|课后|课後|課后|課後|会后|会後|會后|會後|术后|术後|術后|術後|婚后|婚後|产后|产後|產后|產後|赛后|赛後|賽后|賽後|考后|考後;阳性|陽性~阴性|陰性;左~右;更多~更少;增加|上升|上涨|提高|升~减少|下降|下跌|降低|降;接受|同意|批准~拒绝|反对|否决;赢|胜~输|败;早上|上午|早晨~中午~下午~晚上|夜里;热|熱~冷;开始|開始~结束|停止|結束;真~假;到达|进入|来~离开|出去|去;男~女;哥哥|弟弟~姐姐|妹妹;爸爸|父亲~妈妈|母亲;儿子~女儿;丈夫~妻子;叔叔~阿姨;活~死;安全~危险;早~晚|迟;高~低|矮;大~小;好~坏;容易|简单~难|复杂;满~空;黑~白~红|紅~蓝|藍~绿|綠~黄|黃~灰|棕;北~南~东|東~西;第一~第二~第三~最后;早餐|早饭~午餐|午饭~晚餐|晚饭;春~夏~秋~冬;昨天~今天~明天;已婚|结婚~离婚|离异~未婚|单身;里面~外面;很少|难得~经常|常常|总是|通常;表扬|表揚|夸奖|称赞|稱讚~批评|批評|责备|責備|指责;楼上|樓上~楼下|樓下;正午|中午~半夜|午夜;及格|通过~不及格|挂科;病好|康复|痊愈~病了|生病|病倒;富有|有钱~贫穷|穷;强壮|强大~虚弱|软弱;干净|乾淨~脏|髒;吵闹|嘈杂~安静;贵|貴~便宜;高兴|开心|快乐~难过|伤心|悲伤;聘用|录用~解雇|开除|辞退;漂亮|美丽~丑|难看;朋友~敌人;出发|出發|离开~到达|到達|抵达;盈利|赚~亏损|亏;必修|强制|必须~选修|自愿;胜利~失败;只有~除了;所有|全部|全体|全體~有些|有的|部分',
    converses: '之前|以前~之后|以后;买|買|购买~卖|賣|出售;借给~向;上面~下面',
    names:
      '北京|上海|广州|深圳|天津|重庆|成都|武汉|西安|南京|杭州|苏州|青岛|大连|沈阳|哈尔滨|长沙|郑州|济南|昆明|厦门|福州|香港|澳门|台北|高雄|东京|大阪|首尔|巴黎|伦敦|柏林|罗马|纽约|小明|小红|小李|小王|小张|老王|老李|张三|李四|王五|王伟|李娜|张伟|王芳|李伟|刘洋|约翰|玛丽|汤姆',
    beforeNames: '住在|来自|名叫|叫做|叫|姓',
    afterNames: '工作|上班|先生|女士|小姐|老师|医生',
    and: '和|与|與|跟|及|或|、',
    formerly: '以前|曾经|曾經|從前|从前',
  },
  ja: {
    script: 'Kana',
    common: '',
    numbers: '二|ふた;三;四;五;六;七;八;九;十;十一;十二;十三;十四;十五;十六;十七;十八;十九',
    tens: '二十;三十;四十;五十;六十;七十;八十;九十;百;千',
    one: '一|ひと',
    negations: 'ない|なかった|なく|ません|ずに|せず|なし|無い|無し|ぬ|禁止',
    affirmations:
      'なければならない|なければなりません|なくてはならない|なくてはいけない|なければいけない|なければいけません|ないといけない|かもしれない|かもしれません|に違いない|しかない|少ない|危ない|つまらない|もったいない|だけでなく|だけではなく|ではないか|じゃないか|くださいませんか|ませんか|少なく|なくなっ|間もなく|ぬいぐるみ|ねこ',
    opposites:
      '好き|愛し|大好き~嫌い|大嫌い|憎ん;許可|許され|合法|できる~禁止|禁じ|違法;オン|つけ|点い~オフ|消し|消え;開い|開け|開く~閉ま|閉じ|閉め|閉店;左~右;多い|多く~少ない|少なく;増え|上が|上昇|増加~減っ|減り|下が|下降|減少;承諾|受け入れ|賛成|承認~拒否|断っ|断り|反対;勝っ|勝ち~負け;朝|午前~昼~夕方|午後~夜|晩;暑い|熱い|温か~寒い|冷た;始ま|始め|開始~終わ|終え|やめ|停止;本当|正し~嘘|間違;着い|到着|入っ|来~出発|出て|去っ;男~女;兄|弟~姉|妹;父~母;息子~娘;夫~妻;生き~死ん|死;安全~危険|危な;早~遅;高~低|安;大き~小さ;良い|いい|よい~悪い;簡単|易し~難し;黒~白~赤~青~緑~黄|茶|灰;北~南~東~西;最初|一番~最後;朝食|朝ご飯~昼食|昼ご飯~夕食|晩ご飯;春~夏~秋~冬;昨日~今日~明日;既婚|結婚~離婚~未婚|独身;中~外;陽性~陰性;めったに|滅多に~よく|いつも|しばしば|たいてい;褒め|ほめ|称賛~叱ら|叱っ|叱り|叱る|批判|怒ら;二階|上の階~一階|下の階;正午~真夜中|深夜0時;着き|着く|到着~出ます|出る|出発;合格|受かっ~不合格|落ち;治っ|回復|元気~病気|倒れ;金持ち|裕福~貧乏|貧し;強い|強く~弱い|弱く;速い|速く~遅い|遅く|ゆっくり;重い|重く~軽い|軽く;厚い|太い|太っ~薄い|細い|痩せ;広い|広く~狭い|狭く;きれい|清潔~汚い|汚れ|不潔;濡れ|湿っ~乾い|乾燥;甘い~しょっぱい|塩辛い~酸っぱい~苦い;うるさい|騒がし~静か;高価|高い~安い|安価;嬉し|うれし|幸せ~悲し|不幸;採用|雇わ|雇っ~解雇|首に;美し|綺麗~醜い;笑っ|笑う|笑い~泣い|泣く;友達|友人|味方~敵;長い|長く~短い|短く;新し~古い|古く;勝利~敗北;黒字|利益~赤字|損失;だけ~以外',
    converses: '前~後;買っ|買い|買う|購入~売っ|売り|売る|販売;貸し~借り;あげ~もらっ|もらい;上~下',
    names:
      '東京|大阪|京都|名古屋|横浜|神戸|札幌|福岡|仙台|広島|奈良|千葉|埼玉|沖縄|北海道|長崎|金沢|新潟|熊本|パリ|ロンドン|ベルリン|ローマ|ニューヨーク|田中|鈴木|佐藤|高橋|伊藤|渡辺|山本|中村|小林|加藤|吉田|山田|佐々木|山口|松本|井上|太郎|次郎|花子|健太|美咲|さくら',
    beforeNames: '名前は',
    afterNames: 'で働|に勤|に住|さん|様|氏|くん|ちゃん|出身|という名|先生',
    and: 'と|や|か|、',
    formerly: '以前|昔は|かつて',
    past: 'た(?:です|の|よ|ね)?$|[しでっ]た|んだ',
  },
  ko: {
    script: 'Hangul',
    common: '',
    numbers:
      '두|둘|이;세|셋|삼;네|넷|사;다섯|오;여섯|육;일곱|칠;여덟|팔;아홉|구;열|십;열한|열하나;열두|열둘;열셋|열세|십삼;열넷|열네|십사;열다섯|십오;열여섯|십육;열일곱|십칠;열여덟|십팔;열아홉|십구',
    tens: '스무|스물|이십;서른|삼십;마흔|사십;쉰|오십;예순|육십;일흔|칠십;여든|팔십;아흔|구십;백;천',
    one: '한|하나',
    negations:
      '안|못|없*|않*|아니*|아닙*|아닌|말고|못하*|못해*|못했*|금지*|불가*|지않*|못합*|마세요|마라|비*|무*',
    affirmations:
      '뿐만 아니라|비가|비는|비를|비도|비행*|비밀*|비싸*|비싼|무엇*|무슨|무릎*|무거*|비용*|비디오*|비누*|비교*|비슷*|비서*|비행기*|무게*|무대*|무척|무료*|무섭*|비추*|비우*|비둘*|무지*|무늬*|안녕*|비닐*|비빔*|무용*|무역*|무술*|무기*',
    opposites:
      '좋아*|사랑*|즐*~싫어*|미워*|증오*|혐오*;허용*|허락*|합법*|가능*~금지*|불법*|불가*;켜*|켰*|켠*~꺼*|껐*|끄*|끈*;열려*|열었*|연다|열*~닫*;왼*~오른*;더|많*~덜|적*;늘*|오르*|올랐*|증가*|상승*~줄*|내리*|내렸*|감소*|하락*;수락*|동의*|찬성*|승인*~거절*|거부*|반대*;이겼*|이기*|이긴*~졌*|지다|진다;있*~없*;아침*|오전*~점심*~저녁*|오후*~밤*;덥*|더운|더워*|뜨거*|따뜻*~춥*|추운|추워*|차가*;시작*~끝*|그만*|중단*;사실*|참*~거짓*;도착*|왔*|옵니다|온다~떠났*|떠나*|갔*|간다;남자*|남성*~여자*|여성*;형*|오빠*|남동생*~누나*|언니*|여동생*;아버지*|아빠*~어머니*|엄마*;아들*~딸*;남편*~아내*;살아*~죽*;안전*~위험*;일찍~늦*;높*~낮*;크*|큰|커*~작*;좋*~나쁘*|나쁜|나빠*;쉽*|쉬운|쉬워*~어렵*|어려*;검*|까만*~하얀*|흰*|하얗*~빨간*|빨갛*~파란*|파랗*~초록*|녹색*~노란*|노랗*;북*~남쪽*~동쪽*~서쪽*;첫*~두번째*~마지막*;봄*~여름*~가을*~겨울*;어제*~오늘*~내일*;결혼*|기혼*~이혼*~미혼*|독신*;안에*~밖에*;양성*~음성*;칭찬*~비판*|혼냈*|혼내*|꾸짖*|야단*|혼났*;위층*|윗층*~아래층*;정오*~자정*;도착*~출발*;합격*~불합격*|떨어졌*|탈락*;나았*|회복*|건강*~아프*|아팠*|병에*|앓*;부유*|부자*~가난*;강한|강하*|강해*|세다~약한|약하*|약해*;빠르*|빠른|빨라*|빨리~느리*|느린|느려*|천천히;무겁*|무거운|무거워*~가볍*|가벼운|가벼워*;두껍*|두꺼운|굵*~얇*|가늘*;넓*~좁*;깨끗*~더럽*|더러운|더러워*;젖*|축축*~마르*|말랐*|건조*;시끄럽*|시끄러*~조용*;행복*|기쁘*|기뻐*~슬프*|슬퍼*|불행*;고용*|채용*~해고*;예쁘*|예쁜|아름답*|아름다*~못생*|추한;웃*~울*|운다|울었*;친구*~적|적이|적을;흑자*|이익*~적자*|손실*;의무*|필수*~선택*|자율*;열려*|열린*|엽니다|열어*~닫혀*|닫힌*|닫습니다|닫아*;오릅*|올라*|오른다~내립*|내려*|내린다|떨어*;비싸*|비싼|비쌌*~싸다|싸요|싸지|쌉니다|싼|저렴*;드물게~자주|항상|종종',
    converses:
      '전에~후에;사다|샀*|산다|삽니다|구매*~팔*|팝니다|판매*;빌려주*|빌려줬*~빌렸*|빌린*;주었*|줬*~받았*|받은*;위*~아래*',
    names:
      '서울*|부산*|대구*|인천*|광주*|대전*|울산*|수원*|제주*|전주*|포항*|강릉*|춘천*|청주*|창원*|파리*|런던*|베를린*|로마*|뉴욕*|도쿄*|오사카*|민수*|지영*|영희*|철수*|민지*|지훈*|서연*|수진*|현우*|미나*',
    beforeNames: '이름은',
    afterNames:
      '일해*|일하*|일합*|근무*|씨*|님*|선생*|교수*|사장*|부장*|과장*|출신*|살아*|산다|삽니다|살고|사는|살았*',
    and: '와|과|또는|및|그리고',
    formerly: '예전에|예전엔|예전에는|옛날에|과거에|한때',
    past: '[^ ]*[았었였했갔왔났됐렸졌쳤웠겼켰섰됐][^ ]*',
    noonAndMidnight: '정오~자정',
  },
  th: {
    script: 'Thai',
    common: '',
    numbers: 'สอง;สาม;สี่;ห้า;หก;เจ็ด;แปด;เก้า;สิบ;สิบเอ็ด;สิบสอง;สิบสาม;สิบสี่;สิบห้า;สิบหก;สิบเจ็ด;สิบแปด;สิบเก้า',
    tens: 'ยี่สิบ;สามสิบ;สี่สิบ;ห้าสิบ;หกสิบ;เจ็ดสิบ;แปดสิบ;เก้าสิบ;ร้อย;พัน',
    one: 'หนึ่ง',
    negations: 'ไม่|มิได้|อย่า|ห้าม|ไร้|ปราศจาก',
    affirmations: 'ไม่เพียง|ไม่แค่|ไม่ใช่แค่|อย่าง|หรือไม่|ไม่ว่า|ไม่เกิน|ไม่กี่',
    opposites:
      'ชอบ|รัก~เกลียด|ไม่ชอบ;อนุญาต|ถูกกฎหมาย~ห้าม|ผิดกฎหมาย;เปิด~ปิด;ซ้าย~ขวา;มากกว่า~น้อยกว่า;เพิ่ม|ขึ้น~ลด|ลง;ยอมรับ|เห็นด้วย|ตกลง~ปฏิเสธ;ชนะ~แพ้;เช้า~บ่าย|เที่ยง~เย็น|ค่ำ~กลางคืน;ร้อน|อุ่น~เย็น|หนาว;เริ่ม~หยุด|จบ|เลิก;จริง~เท็จ;มาถึง~ออกจาก;ผู้ชาย~ผู้หญิง;พี่ชาย|น้องชาย~พี่สาว|น้องสาว;พ่อ~แม่;ลูกชาย~ลูกสาว;สามี~ภรรยา;มีชีวิต~ตาย;ปลอดภัย~อันตราย;เร็ว~ช้า|สาย;เช้า~สาย;สูง~ต่ำ|เตี้ย;ใหญ่~เล็ก;ดี~เลว|แย่;ง่าย~ยาก;เต็ม~ว่าง;ดำ~ขาว~แดง~น้ำเงิน|ฟ้า~เขียว~เหลือง;เหนือ~ใต้~ตะวันออก~ตะวันตก;เมื่อวาน~วันนี้~พรุ่งนี้;แต่งงาน~หย่า~โสด;ใน~นอก;อาหารเช้า~อาหารกลางวัน~อาหารเย็น;ฤดูหนาว|หน้าหนาว~ฤดูร้อน|หน้าร้อน~ฤดูฝน|หน้าฝน;นานๆครั้ง|แทบไม่~บ่อย|เสมอ|ประจำ;ชั้นบน~ชั้นล่าง;เที่ยงวัน~เที่ยงคืน;สอบผ่าน~สอบตก;หายป่วย|หายดี~ล้มป่วย;แข็งแรง~อ่อนแอ;กว้าง~แคบ;สะอาด~สกปรก;เปียก~แห้ง;หวาน~เค็ม~เปรี้ยว~ขม;เสียงดัง~เงียบ;มีความสุข~เศร้า;สวย~น่าเกลียด|ขี้เหร่;หัวเราะ~ร้องไห้;เพื่อน~ศัตรู;กำไร~ขาดทุน',
    converses: 'ก่อน~หลัง;ซื้อ~ขาย;ให้ยืม~ยืมจาก;บน~ล่าง',
    names:
      'สมชาย|สมหญิง|สมศักดิ์|มานะ|มานี|ปิติ|ชูใจ|วิชัย|ประยุทธ์|นิด|น้อย|แดง|กรุงเทพ|เชียงใหม่|เชียงราย|ภูเก็ต|ขอนแก่น|นครราชสีมา|โคราช|อุดรธานี|อุบลราชธานี|หาดใหญ่|สงขลา|พัทยา|ชลบุรี|ระยอง|ลำปาง|อยุธยา|สุโขทัย|กระบี่|ปารีส|ลอนดอน|โตเกียว',
    beforeNames: 'อยู่ที่|อาศัยอยู่ใน|ชื่อ|มาจาก|คุณ|นาย|นางสาว',
    and: 'และ|กับ|หรือ',
  },
}
