/**
 * How a language tells of changes: words with `|` between, in lower case, with accents. `*` stands for any ending of a word, in front
 * for any beginning. Those for now and no longer are in `arrange.ts`.
 */
export interface ChangeWords {
  /** Written without white space between words. */
  joined?: true
  /** That something has become what it was not. */
  changed: string
  /** New: it tells of the word beside it that this has changed. */
  fresh: string
  /** That something came to an end: what is named beside it is what was. */
  ended: string
  /** That something is so too. */
  added?: string
  /** That something may change, will, should or has not. */
  unsure?: string
  /** In a query: that it is about what was. */
  past?: string
  /** In a query: that it is about where someone lives; and that someone has a new home, where no other verb says it. */
  lives?: string
  moved?: string
  /** In a query: that it is about someone's work; and that someone has another. */
  works?: string
  newWork?: string
  /** I and we. */
  self?: string
  /** Others than oneself, beside relatives. */
  others?: string
}

export const changeWords: Readonly<Record<string, ChangeWords>> = {
  en: {
    changed:
      'change|changed|changes|moved|moves|switched|swapped|replaced|replaces|renamed|from now on|these days|as of|effective|instead|went up|went down|went over|gone up|gone down|went back|raised|increased|reduced|rose|risen|fell|fallen|lowered|cut (?:\\p{L}+ ){0,3}(?:to|back|down)|been cut|extended|shortened|postponed|rescheduled|pushed back|pushed to|brought forward|delayed|slipped|upgraded|downgraded|transferred|reassigned|migrated|relocated|promoted|took over|taken over|takes over|became|has become|grown|shrunk|updated|update|correction|down to|up to',
    fresh: 'new',
    ended:
      'stopped|quit|left|leaves|leaving|sold|dropped|closed|cancelled|canceled|retired|resigned|gave up|given up|got rid of|no longer|nobody|not any ?more|any ?more|forget|instead of|replaced|replace|moved off|switched from|changed from|went from|broke up|split up|divorced|ditched|died|gone|ended|threw out|traded in|migrated',
    added: 'also|too|as well|additionally|another|second|in addition|besides|plus|both',
    unsure:
      "might|may|could|would|should|will|want|wants|wanted|plan|plans|planning|think of|thinking|consider|considering|considered|hope|hopes|hoping|wish|if|maybe|perhaps|almost|not changed|never|asked|haven't|hasn't|hadn't|didn't|won't|going to|not yet",
    past: '(?<!how )old|before|previous|previously|former|formerly|used to|use to|originally|original|initially|was|were|did|had|last year|last month|last week|earlier|back then|ago|history|over time|in the past|ever',
    lives: 'live|living|lives|home|house|flat|apartment|address|city|town|reside|resides|based',
    moved:
      '(?:moved|relocated)(?= (?:house|home|here|away|back)|[.!,]|$| (?:to|into|over to|back to|up to|down to|out to) (?!the|a|my|our))|(?:our|my) new (?:home|house|flat|apartment|address|place)',
    works: 'work|works|working|job|employer|company|profession|occupation',
    newWork:
      'new job|(?:changed|switched) (?:jobs|employers|companies|careers)|quit my job|joined|(?:started|starting) at|hired by',
    self: "i|i've|i'm|we|we've|we're|me",
    others:
      "teammate|teammates|coworker|co-worker|classmate|mate|cousin|fiancé|fiancée|friend|friend's|friends|colleague|colleague's|neighbour|neighbours|neighbor|neighbors|flatmate|roommate|boss|office|company|partner|parents|mum's|mom's|dad's|brother's|sister's|son's|daughter's|wife's|husband's|guest|guests|grandpa|grandma|kids|tenant|client",
  },
  fr: {
    changed:
      'changé|changée|changés|change de|déménagé|passée?s? (?:à|au|aux|chez|de)|passe (?:à|au|aux|chez)|passent (?:à|au)|remplac*|renommé*|désormais|dorénavant|dès maintenant|à partir de|au lieu de|à la place|augmenté|augmente|baissé|baisse|réduit*|monté|grimpé|décalée?s?|reportée?s?|repoussée?s?|avancée?s?|prolongée?s?|déplacée?s?|transférée?s?|migré*|devenue?|s.est mise?|finalement|repris',
    fresh: 'nouveau|nouvel|nouvelle|nouveaux',
    ended:
      'arrêtée?|quittée?|vendue?s?|résiliée?|fermée?|ne vient plus|n.est plus|plus de|pris sa retraite|à la retraite|partie?|abandonnée?|lâchée?|rompu|séparée?s?|au lieu de|remplac*|fini|terminé|ne \\p{L}+ plus|n.\\p{L}+ plus',
    added: 'aussi|également|en plus|en outre|un autre|une autre|deuxième|encore un|encore une',
    unsure:
      'peut-être|voudra*|aimera*|pourra*|devra*|va|vont|veut|veux|pas changé|envisag*|si|pense|jamais|n.a pas|n.ai pas',
    past: 'avant|ancien|ancienne|anciens|anciennes|précédent*|autrefois|à l.origine|initial*|était|étaient|avait|avais|(?:j.|je |on |il |elle )\\p{L}{3,}(?<!connai|sai)(?:ais|ait)|dernière|passé',
    lives: 'habite*|vis|vit|vivons|logement|adresse|domicile|ville',
    moved: 'déménagé(?= (?:à|au|en|dans|chez)|[.!,]|$)|emménagé|nouvelle adresse',
    works: 'travaill*|métier|boulot|emploi|job|employeur|profession',
    newWork:
      'changé de (?:travail|métier|boulot|job|poste|boîte)|nouveau (?:travail|boulot|job|poste)|nouvel emploi|embauchée?|commencé (?:chez|à)',
    self: "je|j'ai|j|j'|nous|on|me|m'",
    others:
      'amie?|amis|collègues?|voisins?|voisine|patron|bureau|entreprise|boîte|coloc*|parents|invités|équipe',
  },
  de: {
    changed:
      'geändert|ändert|gewechselt|wechselt*|umgezogen|gezogen|zog* um|ziehen um|verschoben|verlegt|gestiegen|steigt auf|gesunken|erhöht|gesenkt|reduziert|umgestiegen|ersetzt|umbenannt|statt|stattdessen|anstelle|ab jetzt|ab sofort|ab heute|von nun an|seit neuestem|übernommen|übernimmt|verlängert|verkürzt|vorverlegt|vorgezogen|versetzt|befördert|migriert|umgestellt|geworden|zuständig ist',
    fresh: 'neu|neue|neuer|neues|neuen|neuem',
    ended:
      'verkauft|gekündigt|aufgehört|abgelöst|nicht mehr|kein* mehr|weg|in rente|im ruhestand|verlassen|beendet|geschlossen|getrennt|ersetzt|statt|anstelle|abgeschafft|abbestellt|ausgestiegen|umgestiegen von',
    added: 'auch|außerdem|zusätzlich|noch ein*|zweite|zweiten|zweiter|zweites|ebenfalls|weitere*',
    unsure:
      'vielleicht|würde*|könnte*|möchte*|sollte*|soll|wollen|will|wollte*|falls|wenn|überleg*|nicht geändert|noch nicht|nie|wird',
    past: 'früher|früheren?|vorher|vorherige*|vorige*|ehemalige*|alte|alten|alter|altes|zuvor|ursprünglich*|war|waren|hieß|hatte|hatten|wohnte|arbeitete|damals|davor|bevor|gewohnt|gearbeitet|letztes jahr|letzten monat',
    lives: 'wohn*|leb*|zuhause|adresse|wohnort|stadt',
    moved: 'umgezogen|gezogen|umgesiedelt|neue (?:wohnung|adresse)',
    works: 'arbeit*|job|beruf*|arbeitgeber*|firma',
    newWork: 'neuen job|neue stelle|neuen arbeitgeber|(?:job|arbeitgeber|stelle|firma) gewechselt',
    self: 'ich|wir|mich|uns|mir',
    others:
      'freund|freundin|freunde|kollegin?|kollege|kollegen|nachbarn?|nachbarin|chefin?|büro|firma|eltern|mitbewohner*|gäste*',
  },
  es: {
    changed:
      'cambiado|cambió|cambié|cambiamos|cambia|cambio de|mudado|mudamos|mudé|trasladado|trasladamos|trasladada|pasado a|pasó a|pasamos a|pasa a|reemplaz*|sustituid*|renombrad*|a partir de|desde ahora|de ahora en adelante|en lugar de|en vez de|subido|subió|sube a|bajado|bajó|baja a|aumentad*|aumentó|reducid*|aplazad*|pospuest*|retrasad*|adelantad*|ampliad*|ascendid*|migrad*|al final',
    fresh: 'nuevo|nueva|nuevos|nuevas',
    ended:
      'dejado|dejé|dejó|vendido|vendí|vendimos|cerrado|cerré|cancelado|cancelé|jubilado|jubiló|renunci*|ya no|se fue|ido|terminado|terminamos|separad*|en vez de|en lugar de|reemplaz*|sustituid*|abandonad*|abandoné',
    added: 'también|además|otro|otra|segundo|segunda|aparte',
    unsure:
      'quizás?|tal vez|querría*|quiero|quiere|queremos|gustaría|podría*|debería*|vamos a|va a|si|pens*|no ha cambiado|nunca|aún no|todavía no',
    past: 'antes|anterior*|antiguo|antigua|antiguos|era|eran|fue|vivía*|trabajaba*|tenía*|originalmente|original|pasado|pasada|previo',
    lives: 'viv*|resid*|casa|dirección|domicilio|ciudad',
    moved:
      '(?:me he|nos hemos|nos|me) (?:mudado|mudamos|mudé|trasladado|trasladamos|trasladé)|nueva (?:casa|dirección)',
    works: 'trabaj*|empleo|profesión|empresa',
    newWork: 'cambiado de (?:trabajo|empleo|empresa)|nuevo (?:trabajo|empleo)|empecé en|me han contratado',
    self: 'yo|me|nos|nosotros|nosotras|he|hemos',
    others: 'amig*|colegas?|compañer*|vecin*|jef*|oficina|empresa|padres|invitad*|cuñad*',
  },
  it: {
    changed:
      'cambiat*|cambia|trasferit*|passat* (?:a|al|alla|alle|agli|in|da)|passiamo a|sostituit*|rinominat*|d.ora in poi|a partire da|invece di|al posto di|aumentat*|salit*|sces*|ridott*|diminuit*|spostat*|rinviat*|posticipat*|anticipat*|prorogat*|promoss*|diventat*|migrat*',
    fresh: 'nuovo|nuova|nuovi|nuove',
    ended:
      'smesso|lasciat*|vendut*|chius*|disdett*|in pensione|non più|non \\p{L}+ più|andat* via|finit*|separat*|invece di|al posto di|sostituit*|abbandonat*|mollat*',
    added: 'anche|inoltre|un altro|un.altra|secondo|seconda|pure',
    unsure: 'forse|vorr*|potr*|dovr*|vogliamo|voglio|penso|pensiamo|non è cambiat*|mai|non ancora|se',
    past: 'prima|precedent*|vecchio|vecchia|vecchi|ex|era|erano|abitavo|vivevo|lavoravo|avevo|originale|originariamente|passato|scorso|una volta',
    lives: 'abit*|viv*|casa|indirizzo|città',
    moved: '(?:ci siamo|mi sono) (?:trasferit*|spostat*)|cambiato casa|nuov[ao] (?:casa|indirizzo)',
    works: 'lavor*|mestiere|professione|azienda',
    newWork: 'cambiato (?:lavoro|azienda)|nuovo (?:lavoro|impiego)|assunt[oa]',
    self: 'io|mi|ci|noi|ho|abbiamo',
    others: 'amic*|collegh*|collega|vicin*|capo|ufficio|azienda|genitori|ospit*|coinquilin*',
  },
  pt: {
    changed:
      'mudou|mudei|mudamos|mudado|mudada|mudar|mudança|trocou|troquei|trocamos|trocad*|passou (?:a|para|pra|ao|à)|passei (?:a|para)|passamos (?:a|para)|substituíd*|renomead*|a partir de|de agora em diante|em vez de|no lugar de|subiu|aumentou|aumentad*|baixou|caiu|reduzid*|adiad*|adiou|remarcad*|antecipad*|prorrogad*|promovid*|transferid*|migrad*|migramos|virou',
    fresh: 'novo|nova|novos|novas',
    ended:
      'parei|parou|deixei|deixou|saí|saiu|vendi|vendeu|vendemos|fechei|fechou|cancelei|cancelou|aposentou|não \\p{L}+ mais|já não|larguei|largou|terminei|terminou|terminamos|separad*|em vez de|no lugar de|troquei|abandon*',
    added: 'também|além|outro|outra|segundo|segunda|mais um|mais uma',
    unsure:
      'talvez|quero|queremos|quer|queria|gostaria*|poderia*|deveria*|vamos|vai|se|pens*|não mudou|nunca|ainda não',
    past: 'antes|anterior*|antigo|antiga|antigamente|era|eram|foi|morava*|vivia*|trabalhava*|tinha*|original*|passado|passada',
    lives: 'moro|mora|moramos|morar|vivo|vive|vivemos|resid*|casa|endereço|cidade',
    moved: '(?:me mudei|nos mudamos|mudei|mudamos|me mudar|mudar-me|mudei-me|mudámo-nos) (?:para|pra|de)',
    works: 'trabalh*|emprego|profissão|empresa',
    newWork: 'mudei de (?:emprego|trabalho|empresa)|novo (?:emprego|trabalho)|fui contratad[oa]',
    self: 'eu|me|nos|nós|a gente',
    others: 'amig*|colegas?|vizinh*|chefe|escritório|empresa|pais|visitas|condomínio',
  },
  nl: {
    changed:
      'veranderd|gewijzigd|gewisseld|wisselde|verhuisd|overgestapt|overgezet|verzet|verplaatst|verschoven|uitgesteld|vervroegd|vervangen|hernoemd|vanaf nu|voortaan|in plaats van|gestegen|verhoogd|gedaald|verlaagd|omhoog|omlaag|verlengd|geworden|overgenomen|gemigreerd|bevorderd',
    fresh: 'nieuw|nieuwe',
    ended:
      'gestopt|verkocht|opgezegd|gesloten|verlaten|vertrokken|met pensioen|niet meer|geen \\p{L}+ meer|weg|uit elkaar|in plaats van|vervangen|afgeschaft',
    added: 'ook|daarnaast|nog een|tweede|bovendien|erbij',
    unsure: 'misschien|zou|zouden|kunnen|wil|willen|wilde|als|overweeg*|nooit|nog niet|niet veranderd|gaat',
    past: 'vroeger|eerder|eerdere|vorig|vorige|voormalig*|oude|was|waren|woonde*|werkte*|had|hadden|daarvoor|voorheen|oorspronkelijk*',
    lives: 'woon*|wonen|leef*|adres|thuis|stad',
    moved: 'verhuisd|nieuwe? (?:huis|adres|woning)',
    works: 'werk*|baan|beroep|werkgever',
    newWork: 'nieuwe (?:baan|werkgever|functie)|van baan (?:veranderd|gewisseld)',
    self: 'ik|we|wij|me|ons',
    others:
      'vriend|vriendin|vrienden|collega*|buren|buurman|buurvrouw|baas|kantoor|bedrijf|ouders|gasten*|huisgenoot',
  },
  sv: {
    changed:
      'bytt|bytte|byter|ändrat|ändrats|ändrade*|flyttat|flyttats|flyttade*|höjts?|höjdes|sänkts?|ökat|minskat|stigit|sjunkit|uppskjute[nt]|senarelagt?|tidigarelagt?|ersatt*|från och med|från nu|hädanefter|numera|i stället|istället|övergått|gått över|blivit|tagit över',
    fresh: 'ny|nytt|nya',
    ended:
      'slutat|sålt|sålde|sagt upp|lämnat|stängt|gått i pension|inte längre|inte \\p{L}+ längre|borta|i stället för|istället för|gjort slut',
    added: 'också|även|dessutom|en till|ett till',
    unsure: 'kanske|skulle|kunde|vill|ville|om|funderar|aldrig|inte ändrat*|ska|borde',
    past: 'förut|tidigare|förra|gamla|innan|bodde|jobbade|arbetade|hade|hette|ursprungligen|brukade',
    lives: 'bor|bo|adress|hem|stad',
    moved: 'flyttat (?:till|hem|in)|flyttade till|ny adress',
    works: 'jobb*|arbet*|yrke',
    newWork: 'nytt jobb|bytt jobb|ny tjänst',
    self: 'jag|vi|mig|oss',
    others:
      'vän|vänner|kompis|kollega*|kollegor|granne*|chef*|kontoret|företaget|föräldrar|min bror|min syster|gäst*',
  },
  da: {
    changed:
      'skiftet|skiftede|byttet|ændret|endret|flyttet|flyttede|rykket|udskudt|utsatt|fremrykket|hævet|hevet|sænket|senket|steget|faldet|økt|erstattet|fra nu af|fremover|i stedet|blevet|blitt|overtaget|overtatt|gået over|gått over',
    fresh: 'ny|nyt|nye|nytt',
    ended:
      'stoppet|sluttet|solgt|opsagt|sagt opp|forladt|lukket|gået på pension|ikke længere|ikke lenger|ikke \\p{L}+ mer|væk|i stedet for',
    added: 'også|desuden|endnu en|dessuten|enda en',
    unsure: 'måske|kanskje|ville|vil|kunne|skal|skulle|hvis|overvejer|vurderer|aldrig|aldri|burde',
    past: 'før|tidligere|gamle|forrige|boede|bodde|arbejdede|jobbet|havde|hadde|hed|het|oprindelig*|opprinnelig*|plejede',
    lives: 'bor|bo|adresse|hjem',
    moved: 'flyttet (?:til|ind|inn|hjem)',
    works: 'arbejd*|arbeid*|job|jobb|jobber',
    newWork: 'nyt job|ny jobb|skiftet job|byttet jobb',
    self: 'jeg|vi|mig|meg|os|oss',
    others:
      'ven|venn|venner|kollega*|nabo*|chef*|sjef*|kontoret|firmaet|forældre|foreldre|min bror|min søster|gæst*|gjest*',
  },
  fi: {
    changed:
      'vaihdoin|vaihtoi|vaihdoimme|vaihtunut|vaihtui|vaihdettiin|vaihdettu|muutin|muutti|muutimme|muuttanut|muuttui|muuttunut|muutettu|siirretty|siirrettiin|siirtyi|siirryimme|siirryin|lykätty|lykättiin|nousi|noussut|nostettu|laski|laskenut|korvattu|nyt|nykyään|tästä lähtien|sijaan',
    fresh: 'uusi|uuden|uudet',
    ended:
      'lopetin|lopetti|myin|myimme|myi|irtisanoin|lähti|jäi eläkkeelle|enää|erosimme|erosin|sijaan|suljin',
    added: 'myös|lisäksi|toinen',
    unsure: 'ehkä|haluaisi*|haluan|voisi*|pitäisi|jos|harkits*|ei muuttunut|koskaan',
    past: 'ennen|aiemmin|aikaisemmin|entinen|vanha|asuin|oli|olin|työskentelin|alun perin',
    lives: 'asun|asumme|asuu|osoite*|koti*',
    moved: 'muutin|muutimme|olemme muuttaneet|olen muuttanut',
    works: 'työ*|ammatti*',
    newWork: 'uusi työ*|uuden työ*|vaihdoin työpaikkaa',
    self: '*imme|*in|olemme|olen|minä|me',
    others: 'ystävä*|kollega*|naapuri*|pomo*|toimisto*|yritys|vanhem*',
  },
  pl: {
    changed:
      'zmieni(?:ł|l)*|wymieni(?:ł|l)*|zmienion*|zmiana|przeniesion*|przeniósł|przeniosł*|przenieśli*|przeprowadził*|przeszł*|przeszed*|przełożon*|przesunię*|wzrosł*|wzrósł|podrożał*|spadł*|obniżon*|podniesion*|zastąpi*|zamiast|od teraz|odtąd|awansował*|został*|przedłużon*|zamienił*',
    fresh: 'nowy|nowa|nowe|nowego|nową|nowej',
    ended:
      'przestał*|rzucił*|sprzedał*|zamkn*|zrezygnował*|odszedł|odeszł*|na emerytur*|już nie|nie \\p{L}+ już|rozstał*|zamiast|zwolnił*|wypowiedział*',
    added: 'też|także|również|drugi|druga|drugie|drugą|dodatkowo',
    unsure:
      'może|chciał*|chcę|chcemy|mógłb*|powinien|powinn*|jeśli|gdyby|nigdy|nie zmienił*|będzie|zamierza*|planuj*',
    past: 'wcześniej*|poprzedni*|dawniej|dawny|kiedyś|był|była|było|były|mieszkał*|pracował*|miał*|przed|stary|stare|stara|pierwotn*',
    lives: 'mieszka*|adres*|dom|domu|miasto|mieście',
    moved: 'przeprowadził(?:em|am|iśmy|yśmy)|przeprowadziliśmy|przeprowadziłyśmy|nowy adres',
    works: 'prac*|zawód',
    newWork: 'zmienił(?:em|am) pracę|now(?:ą|a) prac*',
    self: '*łem|*łam|*liśmy|*łyśmy|ja|my|mnie|nas|mamy',
    others: 'przyjaci*|kolega|koleżanka|sąsiad*|szef*|biuro|firma|rodzice|gości*',
  },
  cs: {
    changed:
      'změnil*|změněn*|změna|přestěhoval*|přesunut*|přesunul*|přeložen*|odložen*|přešl*|přešel|vzrostl*|zdražil*|zvýšil*|zvýšen*|klesl*|snížil*|snížen*|nahradil*|místo|od teď|odteď|vyměnil*|povýšen*|prodloužen*',
    fresh: 'nový|nová|nové|nového|novou|nově',
    ended:
      'přestal*|prodal*|zavřel*|zrušil*|odešel|odešl*|v důchodu|už ne|už ne\\p{L}+|rozešl*|místo|vypověděl*',
    added: 'také|taky|druhý|druhá|druhé|navíc|ještě',
    unsure: 'možná|chtěl*|chci|chceme|mohl*|měl by|jestli|pokud|nikdy|nezměnil*|bude',
    past: 'dříve|dřív|předtím|předchozí|bývalý|bývalá|starý|stará|staré|byl|byla|bylo|bydlel*|pracoval*|měl|původn*|kdysi',
    lives: 'bydl*|adres*|doma|město',
    moved:
      'přestěhoval(?:i|y)? jsme(?: se)?|přestěhoval(?:a)? jsem|jsme se přestěhoval*|jsem se přestěhoval*',
    works: 'prac*|povolání|zaměst*',
    newWork: 'novou práci|změnil[a]? jsem práci|nové práci',
    self: 'jsem|jsme|já|my|máme|mám',
    others: 'přítel*|kamarád*|kolega|kolegyně|soused*|šéf*|kancelář|firma|rodiče|host*',
  },
  ro: {
    changed:
      'schimbat*|mutat*|trecut (?:la|pe)|înlocuit*|redenumit*|de acum|de acum înainte|acum|în loc de|crescut|mărit*|scăzut|redus*|amânat*|reprogramat*|devansat*|devenit|promovat*|migrat*',
    fresh: 'nou|nouă|noul|noua',
    ended:
      'renunțat|oprit|vândut|închis*|plecat*|anulat*|pensionat*|la pensie|nu mai|despărțit*|în loc de|înlocuit*|demisionat',
    added: 'de asemenea|în plus|încă un|încă o|al doilea|a doua|și un|și o',
    unsure: 'poate|aș|am vrea|vreau|vrem|dacă|niciodată|nu s-a schimbat|va|ar',
    past: 'înainte|anterior*|vechi|veche|vechea|vechiul|fost|fosta|era|erau|locuiam|lucram|aveam|inițial*|odată',
    lives: 'locui*|stau|adres*|casă|acasă|oraș*',
    moved: '(?:ne-am|m-am) mutat|noua adresă',
    works: 'lucr*|munc*|job*|serviciu*|profesi*',
    newWork: 'schimbat (?:jobul|serviciul|locul de muncă)|un nou (?:job|loc de muncă)|job nou',
    self: 'eu|am|ne-am|m-am|noi',
    others: 'prieten*|coleg*|vecin*|șef*|birou*|firma|părinți*|oaspeți*',
  },
  hu: {
    changed:
      'változott|megváltozott|váltottam|váltottunk|váltott|cseréltem|cserélt*|költöztünk|költöztem|költözött|elköltöz*|átköltöz*|áthelyez*|áttettük|áttették|elhalaszt*|átállt*|áttértünk|áttért*|emelkedett|emelték|nőtt|csökkent*|mostantól|már nem|helyett|lett|kinevezt*|meghosszabbít*',
    fresh: 'új|újabb',
    ended:
      'abbahagyt*|eladt*|felmondt*|bezár*|elment|nyugdíj*|már nem|szakított*|helyett|lemondt*|kilép*|leszokt*',
    added: 'szintén|még egy|második|ráadásul',
    unsure: 'talán|szeretn*|akarok|akarunk|lehet|ha|soha|nem változott|fog|kellene',
    past: 'régen|korábban|korábbi|előző|régi|előtte|volt|voltak|laktam|dolgoztam|eredetileg',
    lives: 'lak*|élek|élünk|cím*|otthon*|város*',
    moved: '(?:el|át|be)?költöztünk|(?:el|át|be)?költöztem',
    works: 'dolgoz*|munka*|állás*|foglalkozás*',
    newWork: 'új munka*|új állás*|munkahelyet váltottam',
    self: '*tunk|*tünk|*tam|*tem|*tom|én|mi|van',
    others: 'barát*|kolléga*|kollégá*|szomszéd*|főnök*|iroda|cég|szülei*|vendég*',
  },
  ru: {
    changed:
      'сменил|сменила|сменили|сменился|сменилась|изменил*|изменен*|изменён|поменял*|переехал|переехала|переехали|перенес*|перенёс*|перешел|перешёл|перешл*|перевел*|перевёл|переведен*|отложи*|сдвину*|вырос*|подорожал*|подешевел*|поднял*|подняли|упал*|снизил*|заменил*|переименова*|вместо|отныне|с этого дня|больше не|стал|стала|стало|стали|продлил*|продлен*|назначен*|повысил*',
    fresh: 'новый|новая|новое|новые|нового|новой|новую|новым',
    ended:
      'бросил*|продал|продала|продали|закрыл*|ушел|ушёл|ушла|ушли|уволился|уволилась|уволили|перестал*|на пенси*|больше не|больше нет|расстал*|развел*|вместо|отказал*|отменил*|заменил*',
    added: 'тоже|также|ещё|еще|второй|вторая|второе|вторую|кроме того|вдобавок',
    unsure:
      'может|можем|хотим|хочу|хотел*|хочет|бы|если|возможно|планиру*|никогда|не изменил*|не поменял*|думаем|думаю|собира*|будет',
    past: 'раньше|прежде|ранее|прежн*|предыдущ*|бывш*|старый|старая|старое|старую|был|была|было|были|жил|жила|жили|работал*|изначальн*|до этого|когда-то',
    lives: 'жив*|адрес*|дом|город*|прожива*',
    moved: 'переехал|переехала|переехали|новый адрес',
    works: 'работ*|професси*|должност*',
    newWork: '(?:сменил|сменила|поменял|поменяла) работу|нов(?:ая|ой|ую) работ*|устроил(?:ся|ась)',
    self: 'я|мы|мне|нас|меня|нам|(?<=^)\\p{L}+(?:лся|лась|лись|л|ла|ли)',
    others: 'друг|друзья|подруга|коллег*|сосед*|начальник*|офис*|фирма|компания|родители|гост*',
  },
  uk: {
    changed:
      'змінив*|змінил*|змінен*|поміняв*|поміняла|переїхав|переїхала|переїхали|перенес*|перейшов|перейшла|перейшли|перевел*|відклали|відкладен*|зросл*|зріс|подорожчал*|підняли|впав|впала|знизил*|замінил*|перейменува*|замість|віднині|тепер|більше не|став|стала|стало',
    fresh: 'новий|нова|нове|нові|нового|нової|нову',
    ended:
      'кинув|кинула|продав|продала|продали|закрил*|пішов|пішла|звільнив*|звільнил*|перестав*|перестала|на пенсі*|більше не|розлучил*|замість|відмовив*|відмовил*',
    added: 'теж|також|ще|другий|друга|другу|крім того',
    unsure: 'може|хочемо|хочу|хотів*|хотіла|би|якщо|можливо|плану*|ніколи|не змінив*|буде',
    past: 'раніше|колишн*|попередн*|старий|стара|старе|був|була|було|були|жив|жила|жили|працював|працювала|спочатку|колись',
    lives: 'живу|живе|живемо|адрес*|дім|міст*|мешка*',
    moved: 'переїхав|переїхала|переїхали|нова адреса',
    works: 'прац*|робот*|професі*',
    newWork: '(?:змінив|змінила) роботу|нов(?:а|ої|у) робот*',
    self: 'я|ми|мені|нас|мене|нам|(?<=^)\\p{L}+(?:вся|лася|лися|в|ла|ли)',
    others: 'друг|друзі|подруга|колег*|сусід*|начальник*|офіс*|фірма|компанія|батьки|гост*',
  },
  bg: {
    changed:
      'смених*|сменил*|сменен*|променил*|промених*|променен*|преместих*|премести*|преместен*|минах*|отложен*|отложи*|поскъпна*|увеличи*|вдигна*|намали*|заменен*|вместо|отсега|вече|сега|стана',
    fresh: 'нов|нова|ново|нови|новият|новата',
    ended: 'спрях*|спря|продадох*|напуснах*|напусна|затвори*|пенсионира*|вече не|разделих*|вместо|отказах*',
    added: 'също|освен това|още един|още една|втори|втора',
    unsure: 'може би|искам|искаме|бих|ако|ще|никога|не се е променил*',
    past: 'преди|предишн*|бивш*|стар|стария|старата|беше|бях|живях|живеех|работех|първоначалн*',
    lives: 'живе*|адрес*|дом|град*',
    moved: 'преместих(?:ме)? се|се преместих(?:ме)?|нов адрес',
    works: 'работ*|професи*',
    newWork: 'нова работа|смених работата',
    self: '*хме|*х|аз|ние|ме|ни|имаме',
    others: 'приятел*|колег*|съсед*|шеф*|офис*|фирма*|родител*|гост*',
  },
  el: {
    changed:
      'άλλαξ*|αλλάξ*|αλλάζ*|μετακομίσ*|μετακόμισ*|μεταφέρ*|μετατέθηκ*|αναβλήθηκ*|πέρασ*|αυξήθηκ*|ανέβηκ*|μειώθηκ*|έπεσ*|αντικατ*|αντί|από τώρα|πλέον|πια|τώρα|έγινε|γυρίσαμε σε|γύρισα σε',
    fresh: 'νέος|νέα|νέο|νέας|νέου|καινούρι*|καινούργι*',
    ended:
      'σταμάτησ*|κόψ*|έκοψ*|πούλησ*|πουλήσ*|έκλεισ*|έφυγ*|παραιτήθηκ*|συνταξ*|δεν \\p{L}+ πια|χώρισ*|αντί',
    added: 'επίσης|ακόμα ένα*|ακόμη ένα*|δεύτερ*|επιπλέον',
    unsure: 'ίσως|θέλ*|μπορεί|θα|αν|ποτέ|δεν άλλαξ*|σκέφτ*',
    past: 'πριν|προηγούμεν*|παλιά|παλιό|παλιός|ήταν|έμενα|δούλευα|είχα|αρχικ*|παλαι*',
    lives: 'μένω|μένουμε|μένει|ζω|ζούμε|διεύθυνσ*|σπίτι',
    moved: 'μετακομίσαμε|μετακόμισα',
    works: 'δουλ*|εργάζ*|εργασία|επάγγελμα',
    newWork: 'άλλαξα δουλειά|νέα δουλειά|καινούρια δουλειά',
    self: '*αμε|*ησα|*ιξα|*αξα|εγώ|εμείς|έχουμε|έχω',
    others: 'φίλ*|συνάδελφ*|γείτον*|αφεντικ*|γραφείο|εταιρεία|γονείς|επισκεπτ*',
  },
  tr: {
    changed:
      'değiş*|taşın*|taşıdı*|geç(?:tik|tim|ti|ildi)|alındı|ertelen*|öne çekildi|yüksel*|arttı|artırıldı|zamlan*|çıktı|düştü|düşürül*|yerine|bundan sonra|bundan böyle|artık|oldu|uzatıldı|terfi',
    fresh: 'yeni',
    ended: 'bırak*|sattı*|kapat*|ayrıl*|iptal|emekli|istifa|artık *|yerine|vazgeç*',
    added: 'ayrıca|bir de|ikinci|dahil|ek olarak|üstelik',
    unsure: 'belki|ister*|istiyor*|isteriz|olabilir|eğer|asla|değişmedi|düşünüyor*|*ecek|*acak',
    past: 'önce|önceki|eski|eskiden|*yordu*|vardı|neydi|kimdi|geçen',
    lives: 'yaşı*|otur*|adres*|ev|evim|şehir',
    moved: 'taşındık|taşındım|yeni adres*',
    works: 'çalış*|iş|işim|meslek*',
    newWork: 'iş değiştirdim|yeni iş*|işe başladım',
    self: '*ık|*ik|*uk|*ük|*ım|*im|*um|*üm|ben|biz',
    others: 'arkadaş*|komşu*|patron*|ofis*|şirket*|ebeveyn*|misafir*|kardeş*|kuzen*|abim|ablam',
  },
  id: {
    changed:
      'ganti|mengganti|diganti|berganti|berubah|diubah|mengubah|pindah|dipindah|dipindahkan|beralih|naik|dinaikkan|turun|diturunkan|ditunda|diundur|dimajukan|diperpanjang|mulai sekarang|sekarang|kini|bukan lagi|alih-alih|menjadi|sudah jadi',
    fresh: 'baru',
    ended:
      'berhenti|menjual|dijual|jual|tutup|keluar|pensiun|tidak lagi|bukan lagi|putus|alih-alih|resign|batal|dibatalkan',
    added: 'juga|selain itu|kedua|satu lagi|tambahan',
    unsure: 'mungkin|ingin|mau|akan|kalau|jika|tidak pernah|belum|berencana|sebaiknya',
    past: 'sebelum*|dulu|dahulu|lama|mantan|awalnya',
    lives: 'tinggal|alamat*|rumah*|kota',
    moved: 'pindah (?:ke|rumah)',
    works: 'kerja|bekerja|pekerjaan*',
    newWork: 'pindah kerja|ganti pekerjaan|pekerjaan baru',
    self: 'saya sudah|saya|kami|aku|kita',
    others: 'teman*|kolega*|tetangga*|bos|kantor|perusahaan|orang tua|kakak*|adik*|tamu',
  },
  vi: {
    changed:
      'đổi|thay đổi|thay|chuyển|dời|hoãn|lùi|tăng|giảm|nâng|từ nay|từ giờ|bây giờ|hiện nay|hiện tại|thay vì|không còn|trở thành|gia hạn',
    fresh: 'mới',
    ended: 'bỏ|bán|đóng|nghỉ|không còn|thôi|rời|thay vì|chia tay|hủy|nghỉ hưu',
    added: 'cũng|thêm|nữa|ngoài ra|thứ hai',
    unsure: 'có thể|muốn|sẽ|nếu|chưa|định|có lẽ',
    past: 'trước|cũ|hồi|từng|ban đầu',
    lives: 'sống|ở|nhà|địa chỉ|thành phố',
    moved: '(?:đã )?chuyển (?:đến|vào|ra|về|tới|sang|nhà)|dọn (?:đến|vào|ra|về)',
    works: 'làm|làm việc|công việc|nghề',
    newWork: 'đổi việc|việc mới|chuyển việc|công việc mới',
    self: 'tôi|chúng tôi|mình|gia đình tôi|em đã',
    others: 'bạn tôi|đồng nghiệp*|hàng xóm|sếp|văn phòng|công ty|bố mẹ|anh trai*|chị gái*|khách',
  },
  ar: {
    changed:
      'غير|غيرت|غيرنا|غيّرت|غيّرنا|تغير|تغيّر|تغيرت|تغيّرت|انتقل|انتقلت|انتقلنا|نقل|نقلنا|نقلت|تم نقل|تأجل|تأجلت|تم تأجيل|أجلنا|تم تقديم|ارتفع|ارتفعت|زاد|زادت|انخفض|انخفضت|استبدل*|بدل|بدلا من|بدلت|بدلنا|من الآن|أصبح|أصبحت|صار|صارت|لم يعد|لم تعد|لم أعد|تحولنا|تحولت',
    fresh: 'جديد|جديدة|الجديد|الجديدة',
    ended:
      'تركت|تركنا|ترك|توقفت|توقف|بعت|بعنا|أغلقت|أغلقنا|ألغيت|استقال|استقلت|تقاعد|تقاعدت|لم يعد|لم تعد|لم أعد|انفصلنا|بدلا من|غادر|غادرت',
    added: 'أيضا|أيضًا|كذلك|ثان|ثانية|الثاني|الثانية|إضافي*|آخر|أخرى',
    unsure: 'ربما|أريد|نريد|سوف|س\\p{L}+|إذا|لو|لم يتغير|لم تتغير|قد|نفكر|أفكر',
    past: 'قبل|سابق|سابقا|السابق|السابقة|القديم|القديمة|كنت|كان|كانت|كنا|الأصلي',
    lives: 'أسكن|نسكن|يسكن|تسكن|أعيش|نعيش|يعيش|عنواني|العنوان|عنوان|بيتي|أقيم',
    moved: 'انتقلنا|انتقلت|انتقلتُ|رحلنا|رحلت',
    works: 'أعمل|يعمل|تعمل|عملي|وظيفتي|وظيفة|مهنتي|أشتغل',
    newWork: 'وظيفة جديدة|عمل جديد|غيرت (?:عملي|وظيفتي)|عملي الجديد|وظيفتي الجديدة',
    self: '*نا|*ت|أنا|نحن|*ي',
    others:
      'صديقي|صديقتي|أصدقائي|زميلي|زميلتي|جاري|جارتي|مديري|المكتب|الشركة|الضيوف|والداي|أمي|أبي|أخي|أختي|زوجتي|زوجي',
  },
  fa: {
    changed:
      'عوض|تغییر|منتقل|نقل مکان|اسباب‌کشی|موکول|افزایش|گران|کاهش|ارزان|جایگزین|به جای|از این به بعد|از حالا|الان|اکنون|حالا|دیگر|شد|شده',
    fresh: 'جدید',
    ended: 'ترک|فروخت*|بست*|استعفا|بازنشسته|دیگر ن*|به جای|جدا|لغو|رفت',
    added: 'هم|همچنین|نیز|دومین|علاوه بر',
    unsure: 'شاید|می‌خواه*|میخواه*|اگر|هرگز|هنوز|ممکن',
    past: 'قبل|قبلا|قبلاً|قبلی|سابق|قدیمی|بود|بودم|پیش|می‌کردم',
    lives: 'زندگی|ساکن|آدرس|خانه',
    moved: 'نقل مکان (?:کردیم|کردم)|اسباب‌کشی (?:کردیم|کردم)',
    works: 'کار|شغل|شغلم',
    newWork: 'شغل جدید|کار جدید|شغلم را عوض کردم',
    self: '*یم|*م|من|ما',
    others: 'دوستم|همکارم|همسایه*|رئیسم|دفتر|شرکت|مهمان*',
  },
  he: {
    changed:
      'החלפתי|החלפנו|החליף|החליפה|הוחלף|הוחלפה|השתנה|השתנתה|שיניתי|שינינו|עברנו|עברתי|עבר|עברה|הועבר|הועברה|נדחה|נדחתה|הוקדם|הוקדמה|עלה ל*|עלתה ל*|ירד ל*|ירדה ל*|התייקר*|במקום|מעכשיו|מהיום|כיום|כבר לא|יותר לא|נהיה|הוארך',
    fresh: 'חדש|חדשה|החדש|החדשה',
    ended:
      'הפסקתי|הפסקנו|מכרתי|מכרנו|עזבתי|עזב|עזבה|סגרתי|ביטלתי|פרש|פרשה|כבר לא|יותר לא|נפרדנו|במקום|התפטרתי|התפטר',
    added: 'גם|בנוסף|עוד|שני|שנייה',
    unsure: 'אולי|רוצה|רוצים|היה רוצה|אם|לא השתנה|מעולם|חושבים|חושב|צריך',
    past: 'לפני|קודם|הקודם|הקודמת|הישן|הישנה|היה|הייתה|היו|גרתי|עבדתי|במקור|פעם',
    lives: 'גר|גרה|גרים|כתובת|הכתובת|בית|מתגורר*',
    moved: '(?:עברנו|עברתי) ל\\p{L}+|(?:עברנו|עברתי) דירה',
    works: 'עובד|עובדת|עובדים|עבודה|מקצוע|עבודתי',
    newWork: 'עבודה חדשה|החלפתי עבודה',
    self: '*נו|*תי|אני|אנחנו',
    others: 'חבר|חברה שלי|חברים|שכן|שכנה|שכנים|הבוס|המשרד|החברה|אורחים|הורים|אחי|אחותי|אמא|אבא',
  },
  hi: {
    changed:
      'बदल|बदली|बदला|बदले|बदलकर|शिफ्ट|स्थानांतरित|टल|टाल|बढ़|बढ़कर|बढ़ा|घट|घटकर|घटा|की जगह|के बजाय|अब से|अब नहीं|हो गया|हो गई|हो गए|आगे',
    fresh: 'नया|नई|नए',
    ended: 'छोड़|छोड़ा|छोड़ी|बेच|बेची|बंद|इस्तीफा|रिटायर|की जगह|के बजाय|अब नहीं|अलग हो',
    added: 'भी|दूसरा|दूसरी|साथ ही|और एक|एक और',
    unsure: 'शायद|चाहता|चाहते|चाहती|अगर|कभी नहीं|सोच|*एगा|*एगी|नहीं बदला|नहीं बदली',
    past: 'पहले|पुराना|पुरानी|पुराने|था|थी|थे|पिछला|पिछली|पिछले',
    lives: 'रहता|रहती|रहते|घर|पता',
    moved: 'शिफ्ट (?:हो|कर|किया)|घर बदल',
    works: 'काम|नौकरी|पेशा',
    newWork: 'नई नौकरी|नौकरी बदल|नया काम',
    self: 'हम|मैं|मैंने|हमने|मुझे|हमें',
    others: 'दोस्त|सहकर्मी|पड़ोसी|बॉस|ऑफिस|दफ्तर|कंपनी|मेहमान|भाई|बहन',
  },
  ko: {
    changed:
      '바뀌*|바꿨*|바꾸*|바꿔*|변경*|옮겼*|옮겨*|옮기*|이사*|이직*|갈아탔*|미뤄*|미뤘*|연기*|앞당*|올랐*|올라*|인상*|내렸*|내려*|인하*|늘었*|줄었*|교체*|대신|앞으로*|이제*|더 이상|됐*|승진*|연장*',
    fresh: '새|새로*',
    ended: '그만*|끊*|팔았*|팔고|떠났*|퇴사*|은퇴*|해지*|닫*|취소*|더 이상|헤어*|대신',
    added: '또|*도|추가로|두 번째|게다가',
    unsure: '아마|싶*|만약|절대|수도|할까|고민*|예정*|안 바*|바뀌지',
    past: '예전*|이전*|전에|옛날*|원래|과거*|옛',
    lives: '살아*|살고|사는*|사니|집*|주소*',
    moved: '이사했*|이사 왔*|이사왔*|이사 갔*|이사갔*',
    works: '일해*|일하*|직장*|직업*|회사*',
    newWork: '이직했*|새 직장*|직장을 옮*|새 회사*',
    self: '우리|우린|나|나는|난|내가|저는|저희|제가|^(?!.{0,99}[이가은는](?!\\p{L}))[^]{1,200}$',
    others:
      '친구*|동료*|이웃*|사장*|상사*|사무실*|부모님*|손님*|우리 (?:형|오빠|누나|언니|동생)*|형|오빠|누나|언니|동생*',
  },
  zh: {
    joined: true,
    changed:
      '换了|換了|换成|換成|改成|改为|改為|改到|改在|变成|變成|变更|變更|搬到|搬去|搬家|搬进|搬進|调到|調到|调整|調整|转到|轉到|转为|轉為|涨到|漲到|升到|升级|升級|降到|降为|降為|推迟|推遲|延期|延到|提前|取代|代替|而不是|从现在起|從現在起|以后|今后|不再|跳槽|换到|換到|转学|轉學|升任|升为',
    fresh: '新',
    ended:
      '不再|辞|辭|离职|離職|卖掉|賣掉|卖了|賣了|停止|关掉|關掉|退休|走了|分手|离婚|離婚|取消|戒了|不用了|换掉|換掉|退掉|离开|離開',
    added: '也|还有|還有|另外|另一|第二|再加|以及',
    unsure:
      '可能|也许|也許|想|如果|打算|要是|还没|還沒|没有?[换改变搬]|沒有?[換改變搬]|会不会|將|将|是否|应该|應該',
    past: '以前|之前|原来|原來|曾|旧|舊|过去|過去|从前|從前|本来|本來|上一个|前任|最初|原本|老地址|原先',
    lives: '住|家|地址',
    moved: '搬到|搬去|搬进|搬進|搬家|搬来|搬來',
    works: '工作|上班|职业|職業|公司|单位|單位',
    newWork: '跳槽|换了?工作|換了?工作|新工作',
    self: '我们|我們|^(?:我|搬|已|刚|剛|最近|上个?月|上個月|上周|去年|今年|昨天)',
    others: '朋友|同事|邻居|鄰居|老板|老闆|公司|办公室|客人|访客|房东|爸妈|父母|弟|妹|哥|姐',
  },
  ja: {
    joined: true,
    changed:
      '変更|変えた|変えました|変わっ|変わり|替え|換え|乗り換え|切り替え|引っ越し|引越し|移転|移っ|移した|移り|移動|転職|異動|転校|延期|前倒し|値上げ|値下げ|上がっ|下がっ|増え|減っ|代わりに|これから|今後|今日から|来月から|もう.{1,12}(?:ない|ません|ず)|なくなり|なった|なりました|になって',
    fresh: '新しい|新しく',
    ended:
      '辞め|やめ|売っ|売り|解約|退職|引退|閉じ|別れ|離婚|キャンセル|代わりに|なくなっ|もう.{1,12}(?:ない|ません|ず)|卒業',
    added:
      '(?<=[\\p{Script=Han}\\p{Script=Katakana}ー])も(?!う|の)|また、|さらに|もう一|二つ目|二台目|加えて',
    unsure: 'かもしれ|たい|たら|もし|つもり|予定だ|考えて|変わってい?な|変更な|べき|だろう|ましょう',
    past: '以前|前[のはに]|昔|元の|かつて|でしたか|ましたか|だった(?!っけ)|最初|旧|もともと|当初',
    lives: '住|家|住所',
    moved: '(?:に|へ)(?:引っ越し|引越し|移り住|転居|移住)',
    works: '仕事|働|勤|職',
    newWork: '転職|新しい(?:仕事|職場|会社)|(?:会社|市役所|銀行|仕事|学校|病院)を(?:辞め|やめ)',
    self: '私|僕|俺|我々|^(?!.{0,99}[がは]).',
    others: '友達|友人|同僚|隣人|上司|社長|会社が|オフィスが|事務所が|両親|来客|ゲスト|弟|妹|兄|姉|妻|夫',
  },
  th: {
    joined: true,
    changed: 'เปลี่ยน|ย้าย|เลื่อน|ขึ้นเป็น|เพิ่มเป็น|ลดเหลือ|ลดลง|แทน|ต่อไปนี้|ตั้งแต่นี้|ตอนนี้|ปัจจุบัน|ไม่ได้.{1,20}แล้ว|กลายเป็น|ปรับ',
    fresh: 'ใหม่',
    ended: 'เลิก|ลาออก|ขาย|ปิด|เกษียณ|ยกเลิก|หยุด|แทน',
    added: 'ด้วย|อีก|นอกจากนี้|ที่สอง|ก็',
    unsure: 'อาจ|อยาก|ถ้า|จะ|ยังไม่|คิดจะ|น่าจะ|ไม่เคย',
    past: 'ก่อน|เดิม|เก่า|เคย|อดีต',
    lives: 'อยู่|อาศัย|บ้าน|ที่อยู่',
    moved: 'ย้าย(?:ไป|มา|บ้าน)',
    works: 'ทำงาน|งาน|อาชีพ',
    newWork: 'เปลี่ยนงาน|งานใหม่|ย้ายงาน',
    self: 'เรา|ฉัน|ผม|^',
    others: 'เพื่อน|เพื่อนบ้าน|หัวหน้า|ออฟฟิศ|บริษัท|พ่อแม่|พี่|น้อง|แขก',
  },
}
