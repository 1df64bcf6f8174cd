// Written by packages/sdk/scripts/generate.ts from the service's OpenAPI document.
export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public keys that access tokens and receipts of erasures are signed with, as a JWK set
         * @description Whoever verifies access tokens on their own may keep this answer for as long as `Cache-Control` says. Keys of receipts stay in it for good; an access token names none of them.
         */
        get: operations["listSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive */
        get: operations["liveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service can answer requests
         * @description 503 while it starts, drains or has no database, and once another process was started with another encoder. `degraded`: requests are answered, but background work waits for the job queue, the database only reads (its disk is nearly full, or PostgreSQL is a standby or read-only), or `fsync` is off in PostgreSQL.
         */
        get: operations["readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The backups that lie on the service’s disk
         * @description What `npm run backup` has made in `MEMORY_BACKUP_DIR`, as the process that answers sees it, by name with the last first: names that have dates then have the newest first. Backups elsewhere are not known.
         *
         *     Needs the access token of a platform admin.
         */
        get: operations["listBackups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the process that answers is
         * @description What runs, what it stands on, and what it has measured. Where several processes answer, it is of one of them; `/metrics` of each has more.
         *
         *     Needs the access token of a platform admin.
         */
        get: operations["readHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All organizations
         * @description Newest first, the deleted ones until they are erased. What they hold is that of their live and test spaces together.
         *
         *     Needs the access token of a platform admin.
         */
        get: operations["listAllOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/organizations/{org_id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change an organization’s plan
         * @description A smaller plan keeps what is stored and refuses more of it.
         *
         *     Needs the access token of a platform admin.
         */
        put: operations["changePlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The plans and what they allow
         * @description Cheapest first. They are the same in every installation of a release.
         *
         *     Needs the access token of a platform admin.
         */
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The queues of background work
         * @description How many jobs each has in each state, of the finished only those that are kept: the last 100 that were completed, for a day, and the last 1,000 that failed, for 14 days.
         *
         *     Needs the access token of a platform admin.
         */
        get: operations["listQueues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/queues/{queue}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The jobs of a queue
         * @description Those in one state: what waits in its order, what is finished with the latest first. Jobs have ids, no texts. They move on while pages are read, so that one may come twice or not at all.
         *
         *     Needs the access token of a platform admin.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/queues/{queue}/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a failed job
         * @description Of what is kept to be seen; what comes by itself goes on coming. The audit log has it as for a retry.
         *
         *     Needs the access token of a platform admin.
         */
        delete: operations["removeJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/queues/{queue}/jobs/{job_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Do a failed job once more
         * @description It waits again, and is tried as often as a new one. The audit log has it from before it is done; a second entry, with `success` false, says where it failed or nobody knows.
         *
         *     Needs the access token of a platform admin.
         */
        post: operations["retryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receipts of what was erased of all organizations
         * @description Newest first, also those of organizations that are erased. They hold hashes and counts, neither texts nor ids of patterns.
         *
         *     Needs the access token of a platform admin.
         */
        get: operations["listAllReceipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What all organizations hold and ask
         * @description What is there now, without deleted organizations and users; and the requests under /v1/memory that succeeded by UTC day, oldest first. Each process counts its own every few seconds.
         *
         *     Needs the access token of a platform admin.
         */
        get: operations["readTotalUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All users
         * @description Newest first, the deleted ones until they are erased.
         *
         *     Needs the access token of a platform admin.
         */
        get: operations["listAllUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description Needs the access token of a platform admin.
         */
        get: operations["getAnyUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{user_id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the suspension of a user
         * @description Of an active account nothing changes.
         *
         *     Needs the access token of a platform admin.
         */
        post: operations["activateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{user_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted account
         * @description With the organizations that were deleted together with it, and their API keys. Its sessions stay ended. Within 30 days of the deletion; later the account is not found.
         *
         *     Needs the access token of a platform admin.
         */
        post: operations["restoreAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{user_id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend a user
         * @description Refuses the user’s access tokens and sign-in until the account is activated. API keys of organizations go on. Of a suspended account nothing changes.
         *
         *     Needs the access token of a platform admin.
         */
        post: operations["suspendUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Keys that are not revoked, oldest first; expired ones among them. For every member.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The value of the key is in this answer and nowhere else. For administrators.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description From the answer on, requests with the key are refused. For administrators.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description Fields that are absent stay. What changes holds for every request from the answer on. For administrators.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        patch: operations["changeApiKey"];
        trace?: never;
    };
    "/v1/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a link to set a new password
         * @description Answers 200 whether or not the address has an account. A few mails an hour are sent at most.
         */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description With a second factor, send its code along, or finish with POST /v1/auth/mfa/login. Attempts that fail are limited.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End this session
         * @description Its tokens are refused from the answer on.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all sessions of the user, this one too
         * @description Needs a user’s access token; API keys are refused.
         */
        post: operations["logoutAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/mfa/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in without codes again
         * @description Without the authenticator app, by a recovery code.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        post: operations["disableMfa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/mfa/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to enrol an authenticator app
         * @description Repeated, it changes nothing.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        post: operations["enableMfa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/mfa/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish signing in with a code
         * @description The token of the login is good for five attempts within five minutes.
         */
        post: operations["mfaLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/mfa/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the secret for the authenticator app
         * @description Begins enrolment where it has not begun. Repeated, it answers the same secret.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        post: operations["setUpMfa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/mfa/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish enrolment with a code from the app
         * @description From then on signing in needs a code. Every other session is signed out. The recovery codes are shown this once.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        post: operations["verifyMfa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for new tokens
         * @description A refresh token works once and lives 30 days; a session lives 90 days. Presenting a spent token ends its session. Of several requests at the same time with one token, one succeeds and the others are answered 409.
         */
        post: operations["refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account and an organization that it owns
         * @description The account can be used at once. A link that verifies the address is sent to it.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/resend-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the link that verifies an address once more
         * @description Answers 200 whether or not the address has an account. A few mails an hour are sent at most.
         */
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password by the token that was sent
         * @description The token lives an hour and works once; a newer one takes its place. Every session ends, and a mail tells the user.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the email address by the token that was sent to it
         * @description The token lives 24 hours and works once; a newer one takes its place.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event of the payment provider
         * @description Signed as Standard Webhooks has it (`webhook-id`, `webhook-timestamp`, `webhook-signature`) with MEMORY_BILLING_SECRET; 404 where that is not set. Each `webhook-id` takes effect once. A change of the subscription that arrives after a later one is passed over, and so are other types of events.
         */
        post: operations["receiveBillingEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Embeddings, as clients of OpenAI ask for them
         * @description Takes and answers what OpenAI’s endpoint of this name does, so that its clients, and what is built on them, embed with this service: give them `/v1` of its address and an API key. Lists of token numbers are refused: they are numbers of another model. Texts that take more than 50 seconds to encode are answered with 503 and `Retry-After`: the same request, sent again, goes on from there.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["createEmbeddings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description With the token of the link, by the user whose email address was invited.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/acceleration/benchmark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Time the native kernels against the fallback
         * @description Both compute the same on the same data, and their answers are checked to agree before they are timed. It takes one thread at a time in short slices between other requests, and one benchmark runs at a time. After 30 seconds it answers with what it has.
         *
         *     An API key needs the scope `ops:run`.
         */
        post: operations["runAccelerationBenchmark"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/acceleration/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether native kernels are in use, and what they gain
         * @description An API key needs the scope `memory:read`.
         */
        get: operations["accelerationStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/batch/retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Values of the nearest keys for up to 1,000 queries
         * @description Each query counts as one against the plan’s day; those that do not fit whole are refused whole. The body may have 64 MiB and the answer 256 MiB. What is valid now is searched: queries of a time (`as_of`) go one by one to `/v1/memory/query`.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["batchRetrieveVectors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/batch/store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store up to 5,000 keys and values
         * @description One transaction. Near the plan’s limit what fits is stored, in order, and the rest counts as failed. The body may have 64 MiB.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["batchStoreVectors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/belief/classify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether a statement is known
         * @description Compares a statement with the text patterns of the space: `exact_match`, one of them states the same, be it in one of its sentences; `composition`, it puts several of them together; `novel`, it says something else. In an empty space everything is novel.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["classifyBelief"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/brain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The state of a space at a glance
         * @description An API key needs the scope `memory:read`.
         */
        get: operations["readBrain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/compose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The direction between several
         * @description The weighted mean of normalised keys, or of the texts’ embeddings, normalised.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["composeVectors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/compose/fractional": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A point on the way from A to B
         * @description Interpolates directions on the sphere and lengths linearly. Give one of the pairs: keys, texts or patterns.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["composeFractional"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/conflicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Texts that say nearly the same, or contradict each other
         * @description Newest first. Sleep finds them: it compares the texts that were stored or changed since the last one with the 16 nearest of the same end user, and changes nothing; of each it reports 3 pairs at most. Texts of more than 1,000 characters are not compared. An open conflict is shown while both texts are valid; what is stored or changed of an end user with 1,000 open ones is not compared, and in a space without end users it waits until some are resolved.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["listConflicts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/conflicts/{conflict_id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back what was said of a conflict
         * @description It is open again, while both texts are valid; one that is open stays so. Where one pattern took the place of the other, that one is reverted to its version before first.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["reopenConflict"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/conflicts/{conflict_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what a conflict is
         * @description The pair is not reported again unless one of its texts changes. The same again answers the same; another resolution is refused.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["resolveConflict"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What an assistant should know now
         * @description Standing facts (protected, personal and most used texts that are valid now) and what recall finds for the query, a line each with its id and date, within a budget of tokens and fenced as data. The standing facts come first and are the same bytes whatever is asked, while none of them changes. No language model is involved. Counts as one query.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["readContext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/diagnostics/prefetch/invalidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drop the payloads of the space from memory
         * @description Of the process that answers. They are read again when an answer needs them.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["invalidateCluster"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/diagnostics/prefetch/warmup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read into memory what is around a key
         * @description What `/v1/memory/prefetch/warmup` does with one key and one hop.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["warmCluster"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/efe/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expected free energy of pathways
         * @description Expected free energy of answering a query by each pathway: what the answer would leave unknown, and how little of what is wanted it would bring. efe = -epistemic_value - pragmatic_value, in nats (natural units of information); lower is better.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["evaluateEfe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/explore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try compositions of pairs of patterns
         * @description Associated, near and random pairs of which a trial tells most. A composition is valid in a trial when both parts are near it in a random half of the memory, the memory does not take it for another pattern, and unbinding the one gives back the other.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["explore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/explore/consolidation-candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pairs that sleep may make compositions of
         * @description Explored pairs that are none yet, those of highest priority first, 100 at most. Sleep takes those that at least 2 trials found valid, and at least 60 % of all, where one more trial of each outcome is counted in.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["consolidationCandidates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/explore/detect-spurious": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look for spurious attractors
         * @description Pairs of near neighbours, the strongest 2000 at most, whose middle the memory takes for a mixture of patterns instead of one of them. After 5 s the answer is of those that were checked. Each process runs one in a space at a time.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["detectSpurious"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/explore/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pairs that are worth a trial
         * @description An API key needs the scope `memory:read`.
         */
        get: operations["exploreSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say whether a pattern was useful
         * @description Teaches the space: a useful pattern grows stronger, the heads that ranked it first count more, and the way it was found is relied on more. Without a query, the answer is meant that the same actor got within the last five minutes; with it, what that query recalls now.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["giveFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A map of the space
         * @description Places in a square for the patterns that are valid now, near each other where their keys are: principal components, moved so that neighbours stay neighbours. The same patterns give the same map. Where there are more than `limit`, it shows so many, evenly spread in store order. Clusters are of keys, sqrt(n / 25) of them and 20 at most, named by the words that tell their texts from the others'. Lists have an element for each pattern; texts are got by ids. It counts as a query.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["spaceMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/neuromodulation/calibrate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin the statistics anew
         * @description Mean and deviation of searches are those of the latest hundred, or those of a new space where there are fewer than ten; those of stores are as in a new space, and the signal is 0. The regime follows with the next search or store.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["calibrateModulation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/neuromodulation/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The latest signals
         * @description The records of the regime’s history, oldest first; the three lists go together.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["modulationHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/neuromodulation/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signal that the regime follows, and what it is measured against
         * @description An API key needs the scope `memory:read`.
         */
        get: operations["modulationState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/pattern": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the value of a key
         * @description Of several patterns with this key the newest that is valid now is changed. Metadata are replaced whole, null clears them, absent leaves them.
         *
         *     An API key needs the scope `memory:write`.
         */
        put: operations["changeVector"];
        post?: never;
        /**
         * Delete every pattern with a key
         * @description The body is the key itself. Keys are equal when they are as float32. Where texts that differ have the key, none is deleted.
         *
         *     An API key needs the scope `memory:write`.
         */
        delete: operations["deleteVectors"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/pattern/{pattern_idx}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One pattern by its index
         * @description An API key needs the scope `memory:read`.
         */
        get: operations["getVector"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/patterns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List patterns
         * @description In store order, unless asked for in another; those that a filter and words describe, if given.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["listPatterns"];
        put?: never;
        post?: never;
        /**
         * Delete every pattern of the space
         * @description An API key needs the scope `memory:write`.
         */
        delete: operations["emptySpace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/patterns/{pattern_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One pattern
         * @description Also one that is not valid any more, or not yet.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["getPattern"];
        put?: never;
        post?: never;
        /**
         * Delete one pattern
         * @description An API key needs the scope `memory:write`.
         */
        delete: operations["deletePattern"];
        options?: never;
        head?: never;
        /**
         * Change a pattern
         * @description What is absent stays, and null clears. A new text is embedded again; id and index stay. Metadata are replaced whole. What it was before is kept as a version; what it has already is no change, and makes none.
         *
         *     An API key needs the scope `memory:write`.
         */
        patch: operations["changePattern"];
        trace?: never;
    };
    "/v1/memory/patterns/{pattern_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Versions of a pattern
         * @description Newest first, the one that is there now at the head. The last `MEMORY_VERSIONS_KEPT` that others replaced are kept, each for a year; they go with the pattern.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/patterns/{pattern_id}/history/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Erase what a version held
         * @description That it was there, when and by whom stays. The version that is there now is changed or deleted instead.
         *
         *     An API key needs the scope `memory:write`.
         */
        delete: operations["redactVersion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/patterns/{pattern_id}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a pattern what it was
         * @description Text or vectors, metadata and times are those of the version, in a new version; `external_id` and `subject` stay. An expiry that is over is left out.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["revertPattern"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/patterns/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * How many patterns a filter describes
         * @description An API key needs the scope `memory:read`.
         */
        post: operations["countPatterns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/patterns/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete up to 1000 patterns by id, or all of an end user or that a filter describes
         * @description Those that are there go, all at once, with all their versions; by `filter`, `subject` or both those too that are not valid any more.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["deletePatterns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/patterns/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Up to 200 patterns by id
         * @description By `pattern_id`, then by `external_id`, then by `pattern_idx`, each in the order asked; null where there is none.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["getPatterns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/patterns/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List patterns by a filter that is long
         * @description As the list, with the filter in the body.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["searchPatterns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/prefetch/invalidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Drop the payloads of the space from memory
         * @description Of the process that answers. They are read again when an answer needs them.
         *
         *     An API key needs the scope `memory:write`.
         */
        delete: operations["invalidatePrefetch"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/prefetch/warmup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read into memory what will probably be asked for
         * @description Begins with the 5 patterns nearest to each key, or the 16 used last, and hops to what followed them, what was used with them and what they compose with: the 16 most strongly reached in each hop. Their payloads are then in the memory of the process that answers, and searches that find them need not read them.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["warmPrefetch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Values of the nearest keys
         * @description Cosine similarity over all patterns whose key has the query’s length, or was projected down from it; best first, ties in store order. Texts are found by their embedding.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["queryVectors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/query/semantic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Metadata of the nearest keys
         * @deprecated
         * @description Answers as `/v1/memory/retrieve` does, which replaces it.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["querySemantic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receipts of what was erased, newest first
         * @description A receipt is signed and stored in the transaction that erases, and kept for good. It holds hashes and counts, neither texts nor ids of patterns.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["listReceipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/receipts/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a receipt, and that nothing of it is there
         * @description Checks the signature, and that the receipt is one that the service has kept. The service keeps no ids of what it erased: whoever has them gives them, and learns whether they are those of the receipt and whether any of these patterns is there now. Without them `checked_ids` is false, and the answer says nothing about what is there.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["verifyReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/regime": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The regime that the space is in
         * @description normal; high_surprise, when searches and stores are newer than usual; anomaly, when they are so for long; recovery, until it has been calm for ten steps. A step is a search, other than in `batch/retrieve`, or a store, or, in anomaly and recovery, a second without one. Reading is no step.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["regime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/regime/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The latest regimes
         * @description One for each search, store, injection and change by time alone, oldest first; the last 1000 are kept.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["regimeHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/regime/inject-anomaly": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin an anomaly
         * @description For tests of what the policy overrides do. It ends by itself; the audit log keeps it.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["injectAnomaly"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Metadata of the nearest keys
         * @description Orders the nearest keys, and what was used or stored together with them, by cosine, associations from use, neighbourhood in store order and salience; answers metadata and scores. In a space that was not used, and whose order of storing means nothing, that is the order by cosine. `semantic_score` is the cosine.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["retrieveVectors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/routing/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which pathway a query should take
         * @description exact: by cosine; energy: where the query settles; attention: as recall orders. The one of least expected free energy, unless the regime of the space forces exact.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["decideRouting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sleeps and explorations of the space, and what each did
         * @description Newest first; the last 200 are kept. A sleep that the regime bypassed did nothing and is no run.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/sleep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Consolidate the space
         * @description Replays the most urgent patterns with their neighbours, which grow stronger; weakens what was unused for a week; makes compositions of pairs that exploration found valid, of which a space keeps the strongest 1000; merges texts that were stored twice with the same metadata, and not changed since, into the oldest; moves patterns to the tier that their use calls for; and finds texts that say nearly the same or contradict each other, see /v1/memory/conflicts. One run looks at 10000 patterns, and the next goes on from there.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["sleep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store a key and its value
         * @description It is found by searches as soon as this answers.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["storeVector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/subject-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A token for one end user, which a browser may have
         * @description A bearer token (JWT, typ `st+jwt`) that opens what a key with this subject would, for some time. It ends with the key or the session that made it, and lets its bearer do no more than that.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["issueSubjectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/subjects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The end users of whom something is stored
         * @description In the order of their names.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["listSubjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/subjects/{subject}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is stored of one end user
         * @description An API key needs the scope `memory:read`.
         */
        get: operations["getSubject"];
        put?: never;
        post?: never;
        /**
         * Erase one end user
         * @description Removes every pattern of the subject with its versions, passages and links, what was learned of its use, and answers that are kept for its requests, all in one transaction, and answers a receipt. Keys and tokens that are bound to the subject go on.
         *
         *     An API key needs the scope `memory:write`.
         */
        delete: operations["eraseSubject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/subjects/{subject}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every pattern of one end user
         * @description Lines of JSON in store order, as the archive of an account has them: `npm run import` stores them anywhere. Those that a filter describes, if given; also what is not valid now.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["exportSubject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/text/batch-store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store up to 50 texts
         * @description One transaction. Near the plan’s limit what fits is stored, in order, and the rest counts as failed. Texts that take more than 50 seconds to encode are answered with 503 and `Retry-After`: nothing is stored, and the same request, sent again, goes on from there.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["batchStoreTexts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/text/embed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Embedding of a text, or of several
         * @description Of one `text` in `embedding`, of `texts` in `embeddings`, in their order. Texts that take more than 50 seconds to encode are answered with 503 and `Retry-After`: the same request, sent again, goes on from there.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["embedText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/text/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the memory has on a query, and why that was found
         * @description Quotes up to three stored texts as they are, and says of each how near it is to the query, which words they share and whether it is often used shortly before or after the first. Of a very long text whole sentences are quoted, or a part of one that is very long itself. Nothing is generated.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["explainText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/text/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forget selectively, for clients whose DELETE has no body
         * @description Removes the patterns that meet every condition given: texts about as similar to the query as the threshold says, a category, metadata, an end user. With a query only texts are removed, and none that contradicts it: those are in `kept`. What an earlier version of a pattern held that stays is erased where the version meets the query, category, filter and subject.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["forgetTextsByPost"];
        /**
         * Forget selectively
         * @description Removes the patterns that meet every condition given: texts about as similar to the query as the threshold says, a category, metadata, an end user. With a query only texts are removed, and none that contradicts it: those are in `kept`. What an earlier version of a pattern held that stays is erased where the version meets the query, category, filter and subject.
         *
         *     An API key needs the scope `memory:write`.
         */
        delete: operations["forgetTexts"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/text/important": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Personal facts that the space holds
         * @description Texts with a category other than `preference`, newest first, at most 1000. A text gets its category when it is stored or changed: what the metadata name, else what its wording seems to state; one stored before this endpoint was there keeps what it had until then.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["listImportant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/text/predict": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which texts are likely to be asked for next
         * @description Learned from which texts were found one after the other; the text of the same subject that was stored next counts a little. The text that the query is about is left out, unless it was seen to follow itself.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["predictTexts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/text/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the texts that answer best
         * @description Orders candidates by meaning, words, associations from use, neighbourhood in store order and salience. What is asked and used teaches the space which of these count. A long text is also found by its passages. `similarity` stays the cosine of the whole text.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["recallTexts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/text/retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the texts nearest in meaning
         * @description Cosine similarity over all text patterns of the space, best first; ties in store order.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["retrieveTexts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/text/similarity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cosine similarity of two texts
         * @description An API key needs the scope `memory:read`.
         */
        post: operations["compareTexts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/text/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Texts stored and the space they take
         * @description An API key needs the scope `memory:read`.
         */
        get: operations["textStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/text/store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store a text
         * @description Embeds the text and stores it. It is found by searches as soon as this answers.
         *
         *     An API key needs the scope `memory:write`.
         */
        post: operations["storeText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/tiered/distribution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Patterns by tier
         * @description New patterns are hot. Those that are little used move to warm, then to cold; being among an answer’s first three moves them up again.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["tierDistribution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/tiered/retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the texts nearest in meaning, with their tiers
         * @description Cosine similarity over all text patterns of the space, or over those of one tier; best first, ties in store order.
         *
         *     An API key needs the scope `memory:read`.
         */
        post: operations["retrieveTiered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/tiered/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which tiers answers come from
         * @description An access is a pattern in an answer. Answers are counted within about a second.
         *
         *     An API key needs the scope `memory:read`.
         */
        get: operations["tierStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the organization was told
         * @description Newest first. Keys and members see the same list. Kept for 180 days.
         *
         *     An API key needs the scope `notifications:read`.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/{notification_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a notification
         * @description An API key needs the scope `notifications:write`.
         */
        delete: operations["deleteNotification"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/{notification_id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Mark a notification as read
         * @description `read_at` stays when it was read before.
         *
         *     An API key needs the scope `notifications:write`.
         */
        patch: operations["readNotification"];
        trace?: never;
    };
    "/v1/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete the notifications that were read
         * @description An API key needs the scope `notifications:write`.
         */
        delete: operations["deleteReadNotifications"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark every notification as read
         * @description An API key needs the scope `notifications:write`.
         */
        post: operations["readAllNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Be told of notifications as they come
         * @description Server-sent events, until the client hangs up, its key or session is over (an access token: when it expires) or the service stops: then ask again, with the last `id` as `Last-Event-ID`, and nothing is missed. Without it what comes from then on is told. `event: notification` has a notification as in the list; `event: unread` has `{"unread_count": 3}`, at the beginning and whenever that has changed, by whomever. Every 10 seconds without one there is a comment.
         *
         *     An API key needs the scope `notifications:read`.
         */
        get: operations["streamNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your organizations
         * @description Those that the caller is a member of, oldest membership first.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        get: operations["listOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an organization
         * @description Needs a user’s access token; API keys are refused.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an organization
         * @description For administrators.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        patch: operations["changeOrganization"];
        trace?: never;
    };
    "/v1/organizations/{org_id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Keys that are not revoked, oldest first; expired ones among them. For every member.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        get: operations["listOrganizationApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The value of the key is in this answer and nowhere else. For administrators.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        post: operations["createOrganizationApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description From the answer on, requests with the key are refused. For administrators.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        delete: operations["revokeOrganizationApiKey"];
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description Fields that are absent stay. What changes holds for every request from the answer on. For administrators.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        patch: operations["changeOrganizationApiKey"];
        trace?: never;
    };
    "/v1/organizations/{org_id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pending invitations
         * @description Those that can still be accepted, oldest first. For administrators.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody
         * @description Mails a link that works once, for 7 days. Inviting an address again takes the place of its earlier invitation. For administrators; owners are invited by owners.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        post: operations["invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an invitation
         * @description Its link works no longer. For administrators.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Oldest membership first. For every member.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member, or leave
         * @description For administrators, and for every member on themselves. Owners are removed by owners. The last owner stays. Whoever is a member of no other organization keeps the account, which then opens no memory until somebody invites them.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member’s role
         * @description For administrators; who becomes an owner or ceases to be one is for owners to say.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/v1/security/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was done, by whom, from where
         * @description Newest first. Organization admins see the organization’s entries and their own, everybody else their own. page × limit is at most 10,000; since and until lead further.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        get: operations["readAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/security/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the user is signed in
         * @description Needs a user’s access token; API keys are refused.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/security/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign a session out
         * @description Its access and refresh tokens are refused at once.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the space’s use is made of
         * @description By operation and by key: requests as the summary counts them, most first. By subject: patterns that are there now, in the order of the subjects’ names, and how many of them were stored within the time; that also takes the scope `memory:read`. Requests are kept by the hour, and by the day once they are eight days old: `since` and `until` are rounded down to such an hour or day, and the answer has them so. Times that follow on each other, asked at one time, count nothing twice; one that begins and ends in the same hour or day is empty.
         *
         *     An API key needs the scope `usage:read`.
         */
        get: operations["breakDownUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the use of the space developed
         * @description Every point is there, whether anything happened or not; the last one has begun. Weeks begin on Monday, and the first counts from the period’s first day. Hours are kept for eight days: of a day before that the first hour has all.
         *
         *     An API key needs the scope `usage:read`.
         */
        get: operations["readUsageHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/latency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How long the space’s requests took
         * @description From the arrival of a request to the sending of its answer, for requests that succeeded. Accurate to 2 %; 0 where there were none. The period reaches back to a multiple of five minutes, seven days to a full hour.
         *
         *     An API key needs the scope `usage:read`.
         */
        get: operations["readLatencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/organization/{org_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an organization has used this month
         * @description Both spaces, live and test. For API keys of the organization, and for its administrators.
         *
         *     An API key needs the scope `usage:read`.
         */
        get: operations["readOrganizationUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the space has used this month
         * @description Requests under /v1/memory that succeeded. Those that ended in an error count nothing, as they count no query.
         *
         *     An API key needs the scope `usage:read`.
         */
        get: operations["summarizeUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who the user is
         * @description Needs a user’s access token; API keys are refused.
         */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        /**
         * Delete the account
         * @description Its sessions end at once, and so does everything of the organizations that only this user belongs to: their API keys open nothing any more. Within 30 days whoever runs the service can restore it all; then it is erased. The last owner of an organization with other members has to make one of them its owner first.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        /**
         * Change the user’s name
         * @description Needs a user’s access token; API keys are refused.
         */
        patch: operations["changeProfile"];
        trace?: never;
    };
    "/v1/users/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export the user’s data
         * @description Builds a ZIP archive in the background: profile, organizations, audit entries, sessions, and the patterns of organizations that the user owns. A mail says when it is ready. One at a time, and five a day.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        post: operations["requestExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/exports/{export_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far an export is
         * @description Needs a user’s access token; API keys are refused.
         */
        get: operations["getExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/exports/{export_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an export
         * @description For its user alone, for 7 days.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        get: operations["downloadExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the user’s password
         * @description Every other session is signed out at once, and a mail tells the user.
         *
         *     Needs a user’s access token; API keys are refused.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks
         * @description Oldest first.
         *
         *     An API key needs the scope `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register a receiver of events
         * @description Events are sent as Standard Webhooks have it (`webhook-id`, `webhook-timestamp`, `webhook-signature`): {id, type, timestamp, organization_id, environment, data}. At least once: after anything but 2xx within 15 seconds again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours, or later where `Retry-After` says so; then the webhook is disabled. An organization has at most 20. Users must be administrators.
         *
         *     An API key needs the scope `webhooks:write`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description An API key needs the scope `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its deliveries
         * @description An API key needs the scope `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Fields that are absent stay. Disabling gives up what has not been delivered; events that happen while it is disabled are not sent later. Users must be administrators.
         *
         *     An API key needs the scope `webhooks:write`.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was sent, and what will be
         * @description Newest first. Finished ones are kept for 30 days.
         *
         *     An API key needs the scope `webhooks:read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery with the attempts at it
         * @description What a receiver answered is as it came: text of a stranger.
         *
         *     An API key needs the scope `webhooks:read`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description At once, with the same `webhook-id` and body. One that was finished begins its attempts anew. Users must be administrators.
         *
         *     An API key needs the scope `webhooks:write`.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret
         * @description For 24 hours what is sent is signed with both secrets; then with the new one. Rotated again within that time, the first one signs no more. Users must be administrators.
         *
         *     An API key needs the scope `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends `webhook.test`, whatever the webhook’s event types are, once; how it went is among the deliveries. Users must be administrators.
         *
         *     An API key needs the scope `webhooks:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccelerationStatus: {
            /** @description Whether the fallback, which is JavaScript, does the work. */
            fallback_to_python: boolean;
            /** @description What the native kernels compute. */
            operations_accelerated: ("cosine" | "einsum" | "hdc_bind" | "top_k" | "hopfield" | "quantized_top_k" | "slerp")[];
            /** @description Whether the native kernels are loaded. */
            rust_available: boolean;
            /** @description JavaScript time / native time, measured on this machine after the start and by each benchmark. */
            speedup_factors: {
                [key: string]: number;
            };
        };
        /**
         * @example {
         *       "token": "inv_RXH_wKkdkKA3R-sYLIiG-TqO_nYcRrTRj8bHAMnV0ek"
         *     }
         */
        AcceptInvitationRequest: {
            token: string;
        };
        AcceptInvitationResponse: {
            message: string;
            /** Format: uuid */
            organization_id: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
        };
        AdministeredOrganization: {
            /** Format: date-time */
            created_at: string;
            deleted_at: string | null;
            /** Format: uuid */
            id: string;
            members: number;
            name: string;
            patterns: number;
            /** @enum {string} */
            plan: "free" | "starter" | "pro" | "scale" | "enterprise";
            /** @description Megabytes of 1,000,000 bytes. */
            storage_mb: number;
        };
        AdministeredOrganizations: {
            next_cursor: string | null;
            organizations: components["schemas"]["AdministeredOrganization"][];
        };
        AdministeredReceipt: {
            claims: components["schemas"]["ReceiptClaims"];
            /** @description null where the organization is erased. */
            organization_name: string | null;
            /** @description JWS, typ `erasure-receipt+jwt`. */
            receipt: string;
        };
        AdministeredReceipts: {
            next_cursor: string | null;
            receipts: components["schemas"]["AdministeredReceipt"][];
        };
        AdministeredUser: {
            /** Format: date-time */
            created_at: string;
            email: string;
            email_verified: boolean;
            full_name: string | null;
            /** Format: uuid */
            id: string;
            is_platform_admin: boolean;
            /** Format: date-time */
            last_login_at: string;
            /** @enum {string} */
            status: "active" | "suspended" | "deleted";
        };
        AdministeredUserDetails: {
            /** Format: date-time */
            created_at: string;
            email: string;
            email_verified: boolean;
            full_name: string | null;
            /** Format: uuid */
            id: string;
            is_platform_admin: boolean;
            /** Format: date-time */
            last_login_at: string;
            mfa_enabled: boolean;
            organizations: components["schemas"]["Membership"][];
            /** @enum {string} */
            status: "active" | "suspended" | "deleted";
        };
        AdministeredUsers: {
            next_cursor: string | null;
            users: components["schemas"]["AdministeredUser"][];
        };
        ApiKey: {
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            environment: "live" | "test";
            expires_at: string | null;
            /** Format: uuid */
            id: string;
            /** @description The first 16 characters of the key. */
            key_prefix: string;
            last_used_at: string | null;
            name: string;
            /** @description null: full access. */
            scopes: ("memory:read" | "memory:write" | "usage:read" | "notifications:read" | "notifications:write" | "webhooks:read" | "webhooks:write" | "ops:run")[] | null;
            /** @description Whether it also reads patterns of no subject. */
            shared: boolean;
            /** @description The end user whom the key is bound to; null for none. */
            subject: string | null;
        };
        AuditEntry: {
            /** @enum {string} */
            action: "register" | "login" | "login_failed" | "logout" | "logout_all" | "token_refresh_reuse" | "password_changed" | "password_reset_requested" | "password_reset" | "email_verified" | "mfa_enabled" | "mfa_disabled" | "mfa_recovery_used" | "key_created" | "key_updated" | "key_revoked" | "session_revoked" | "client_authorized" | "member_invited" | "invitation_withdrawn" | "member_joined" | "member_removed" | "role_changed" | "organization_updated" | "plan_changed" | "webhook_created" | "webhook_updated" | "webhook_deleted" | "webhook_disabled" | "secret_rotated" | "export_requested" | "account_deleted" | "account_restored" | "account_suspended" | "account_activated" | "job_retried" | "job_removed" | "memory_forgotten" | "anomaly_injected";
            /** @description For an API key, of the user who made it. Empty for what the service or its operator did, and for users who were erased. */
            actor_email: string;
            details?: {
                [key: string]: unknown;
            };
            ip?: string;
            success: boolean;
            /** Format: date-time */
            timestamp: string;
            user_agent?: string;
        };
        AuditLog: {
            entries: components["schemas"]["AuditEntry"][];
            has_more: boolean;
            limit: number;
            page: number;
        };
        BackupFound: {
            /** @description null where its list can’t be read. */
            bytes: number | null;
            /** @description null where its list can’t be read. */
            created_at: string | null;
            /** @description null where its list can’t be read. */
            database: ("embedded" | "postgres") | null;
            /** @description null where its list can’t be read. */
            migration: string | null;
            name: string;
            /** @description Rows of the table of patterns. */
            patterns: number | null;
            /** @description What is wrong with one that is damaged. */
            problem: string | null;
            /**
             * @description `complete`: every file is there, with its size. `npm run restore` compares their checksums before it restores them.
             * @enum {string}
             */
            state: "complete" | "damaged" | "unfinished";
            /** @description Of the release that made it. */
            version: string | null;
        };
        BackupsFound: {
            backups: components["schemas"]["BackupFound"][];
            folder: string;
            /**
             * @description `missing`: nothing was backed up there yet. `not_allowed`: give the user that the service runs as the right to read it. `not_a_folder`: `MEMORY_BACKUP_DIR` names, or leads through, something else. `failing`: its disk or mount does not answer as it should. No backup is listed but where it is `readable`.
             * @enum {string}
             */
            folder_state: "readable" | "missing" | "not_allowed" | "not_a_folder" | "failing";
            next_cursor: string | null;
        };
        BatchRetrieveVectorsRequest: {
            queries: {
                /** @description Only what occurred (`occurred_at`) at this time or later. */
                after?: string | null;
                /** @description Only what occurred (`occurred_at`) earlier than this time, which is not included. */
                before?: string | null;
                /**
                 * @example [
                 *       0.1,
                 *       -0.2,
                 *       0.3
                 *     ]
                 */
                embedding: number[];
                /**
                 * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
                 * @example {
                 *       "role": "user",
                 *       "source": [
                 *         "chat",
                 *         "mail"
                 *       ]
                 *     }
                 */
                filter?: {
                    [key: string]: unknown;
                } | null;
                /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
                subject?: string | string[] | null;
                /** @default 1 */
                top_k?: number;
            }[];
        };
        BatchRetrieveVectorsResponse: {
            /** @description One list a query, in order. */
            results: components["schemas"]["VectorResult"][][];
        };
        BatchStoreTextsRequest: {
            items: {
                /** @description From this moment the pattern is in no answer; null never. Must be in the future. */
                expires_at?: string | null;
                /**
                 * @description Your own id for it, one of a kind in the space.
                 * @example note-17
                 */
                external_id?: string | null;
                /**
                 * @description Any JSON object of up to 16 KiB and 8 levels.
                 * @example {
                 *       "role": "user",
                 *       "source": "chat"
                 *     }
                 */
                metadata?: {
                    [key: string]: unknown;
                } | null;
                /** @description When the fact was stated, for imports. Default: now. */
                occurred_at?: string | null;
                /** @description Whether consolidation must leave it alone. Default: what was said of the pattern whose `external_id` it has; else, and where it is null, what its metadata and category say. */
                protected?: boolean | null;
                /**
                 * @description The end user whose it is; not `.` or `..`.
                 * @example ada
                 */
                subject?: string | null;
                /** @description The pattern that it takes the place of, `pattern_id` or `ext:` and an own id: that one is valid until this one’s `valid_from`, which must not be earlier than when that one was said to begin. */
                supersedes?: string | null;
                /** @example Ada moved to Lisbon in May. */
                text: string;
                /** @description From when on it holds. Default: `occurred_at`, but not after `valid_to`. Searches and lists show what is valid now, and what is yet to come from that time on. */
                valid_from?: string | null;
                /** @description Until when it holds. Default: without end. */
                valid_to?: string | null;
            }[];
            /**
             * @description What happens where an `external_id` is there already: replace its text, vectors, metadata and times, said or not (`pattern_id` and `pattern_idx` stay, and `subject` and `protected` where nothing is said of them; what is the same makes no version), skip what is sent, or refuse all of it with 409. What is of another `subject` than is named is not replaced: that is a 409 too.
             * @default replace
             * @enum {string}
             */
            on_conflict?: "replace" | "skip" | "error";
        };
        BatchStoreTextsResponse: {
            /** @description Of each item, in order; null for one that failed. */
            created: (boolean | null)[];
            failed: number;
            /** @description Time spent in the service, in milliseconds. */
            latency_ms: number;
            /** @description Of those that are stored, in order. */
            pattern_ids: string[];
            stored: number;
        };
        BatchStoreVectorsRequest: {
            /**
             * @description What happens where an `external_id` is there already: replace its text, vectors, metadata and times, said or not (`pattern_id` and `pattern_idx` stay, and `subject` and `protected` where nothing is said of them; what is the same makes no version), skip what is sent, or refuse all of it with 409. What is of another `subject` than is named is not replaced: that is a 409 too.
             * @default replace
             * @enum {string}
             */
            on_conflict?: "replace" | "skip" | "error";
            patterns: {
                /** @description From this moment the pattern is in no answer; null never. Must be in the future. */
                expires_at?: string | null;
                /**
                 * @description Your own id for it, one of a kind in the space.
                 * @example note-17
                 */
                external_id?: string | null;
                /**
                 * @description What the pattern is found by; kept as float32. It need not be unique.
                 * @example [
                 *       0.1,
                 *       -0.2,
                 *       0.3
                 *     ]
                 */
                key: number[];
                /**
                 * @description Any JSON object of up to 16 KiB and 8 levels.
                 * @example {
                 *       "role": "user",
                 *       "source": "chat"
                 *     }
                 */
                metadata?: {
                    [key: string]: unknown;
                } | null;
                /** @description When the fact was stated, for imports. Default: now. */
                occurred_at?: string | null;
                /** @description Whether consolidation must leave it alone. Default: what was said of the pattern whose `external_id` it has; else, and where it is null, what its metadata and category say. */
                protected?: boolean | null;
                /** @description Dimension that key and value were projected down from, at least the key’s length. Queries of that length find the pattern too. */
                source_dim?: number | null;
                /**
                 * @description The end user whose it is; not `.` or `..`.
                 * @example ada
                 */
                subject?: string | null;
                /** @description The pattern that it takes the place of, `pattern_id` or `ext:` and an own id: that one is valid until this one’s `valid_from`, which must not be earlier than when that one was said to begin. */
                supersedes?: string | null;
                /** @description From when on it holds. Default: `occurred_at`, but not after `valid_to`. Searches and lists show what is valid now, and what is yet to come from that time on. */
                valid_from?: string | null;
                /** @description Until when it holds. Default: without end. */
                valid_to?: string | null;
                /**
                 * @description What is found, of any length; kept as float32.
                 * @example [
                 *       1,
                 *       0.5,
                 *       0.25
                 *     ]
                 */
                value: number[];
            }[];
        };
        BatchStoreVectorsResponse: {
            /** @description Of each item, in order; null for one that failed. */
            created: (boolean | null)[];
            failed: number;
            stored: number;
        };
        /** @description Their sum is 1. */
        BeliefProbabilities: {
            composition: number;
            exact_match: number;
            novel: number;
        };
        BillingData: {
            /** Format: uuid */
            organization_id: string;
        };
        BillingEvent: components["schemas"]["PaymentFailed"] | components["schemas"]["SubscriptionUpdated"] | components["schemas"]["SubscriptionDeleted"];
        BillingPlanData: {
            /** Format: uuid */
            organization_id: string;
            /** @enum {string} */
            plan: "free" | "starter" | "pro" | "scale" | "enterprise";
        };
        CalibrateModulationRequest: {
            /**
             * @description Comes back.
             * @default manual_reset
             */
            reason?: string;
        };
        CalibrateModulationResponse: {
            /** @description Of the surprises of searches: 0 known, 1 entirely new. */
            new_mean: number;
            new_std: number;
            /** @description Of the surprises of searches: 0 known, 1 entirely new. */
            previous_mean: number;
            previous_std: number;
            reason: string;
            recalibrated: boolean;
        };
        Calibration: {
            /** @description Of the surprises of searches: 0 known, 1 entirely new. */
            ema_mean: number;
            ema_std: number;
            /**
             * Format: date-time
             * @description When the statistics began anew: at first with the space.
             */
            last_calibrated: string;
        };
        /**
         * @example {
         *       "name": "reader",
         *       "scopes": [
         *         "memory:read"
         *       ]
         *     }
         */
        ChangeApiKeyRequest: {
            /** @description From this moment the key is refused; null never. Must be in the future. */
            expires_at?: string | null;
            /** @description null: stays. */
            name?: string | null;
            /** @description null: full access. An empty list grants nothing. `memory:write` includes what a change answers: the pattern as it is then, or the ids of what went. */
            scopes?: ("memory:read" | "memory:write" | "usage:read" | "notifications:read" | "notifications:write" | "webhooks:read" | "webhooks:write" | "ops:run")[] | null;
        };
        /**
         * @example {
         *       "role": "admin"
         *     }
         */
        ChangeMemberRequest: {
            /** @enum {string} */
            role: "owner" | "admin" | "member";
        };
        ChangeOrganizationRequest: {
            /**
             * @description null: stays.
             * @example Analytical Engines
             */
            name?: string | null;
            /**
             * @description What each subject may have and ask. What is absent stays; null ends a limit.
             * @example {
             *       "patterns": 10000,
             *       "queries_per_day": 1000
             *     }
             */
            subject_limits?: {
                patterns?: number | null;
                queries_per_day?: number | null;
            };
        };
        ChangePasswordRequest: {
            /**
             * Format: password
             * @example an analytical engine
             */
            current_password: string;
            /**
             * Format: password
             * @description At most 1024 bytes in UTF-8; measured and compared in Unicode NFKC, and not changed in any other way.
             * @example a difference engine
             */
            new_password: string;
        };
        ChangePatternRequest: {
            /** @description From this moment the pattern is in no answer; null never. Must be in the future. */
            expires_at?: string | null;
            /**
             * @description Your own id for it, one of a kind in the space.
             * @example note-17
             */
            external_id?: string | null;
            /**
             * @description Any JSON object of up to 16 KiB and 8 levels.
             * @example {
             *       "role": "user",
             *       "source": "chat"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description A merge patch of the metadata (RFC 7396): fields to set, and null for those to remove.
             * @example {
             *       "source": "mail",
             *       "draft": null
             *     }
             */
            metadata_patch?: {
                [key: string]: unknown;
            };
            /** @description When the fact was stated; null for when it was stored. */
            occurred_at?: string | null;
            /** @description Whether consolidation must leave it alone; null for what its metadata and category say. */
            protected?: boolean | null;
            /**
             * @description The end user whose it is; not `.` or `..`.
             * @example ada
             */
            subject?: string | null;
            text?: string;
            /** @description From when on it holds. Default: `occurred_at`, but not after `valid_to`. Searches and lists show what is valid now, and what is yet to come from that time on. */
            valid_from?: string | null;
            /** @description Until when it holds. Default: without end. */
            valid_to?: string | null;
        };
        /**
         * @example {
         *       "plan": "starter"
         *     }
         */
        ChangePlanRequest: {
            /** @enum {string} */
            plan: "free" | "starter" | "pro" | "scale" | "enterprise";
        };
        ChangePlanResponse: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            limits: {
                /** @description -1 stands for unlimited. */
                api_keys: number;
                /** @description -1 stands for unlimited. */
                members: number;
                /** @description -1 stands for unlimited. */
                patterns: number;
                /** @description -1 stands for unlimited. */
                queries_per_day: number;
            };
            name: string;
            /** @enum {string} */
            plan: "free" | "starter" | "pro" | "scale" | "enterprise";
            /** @description What each subject may have and ask; null for what the plan leaves. */
            subject_limits: {
                patterns: number | null;
                queries_per_day: number | null;
            };
        };
        ChangeProfileRequest: {
            /**
             * @description Null or blank takes the name away; left out, it stays.
             * @example Ada Lovelace
             */
            full_name?: string | null;
        };
        ChangeVectorRequest: {
            key: number[];
            /**
             * @description Any JSON object of up to 16 KiB and 8 levels.
             * @example {
             *       "role": "user",
             *       "source": "chat"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            new_value: number[];
        };
        ChangeWebhookRequest: {
            description?: string | null;
            /** @description null: all. */
            event_types?: ("memory.regime_changed" | "memory.consolidation_completed" | "memory.pattern_limit_warning" | "memory.pattern_limit_reached" | "billing.payment_failed" | "account.key_expiring" | "organization.member_joined" | "account.export_ready")[] | null;
            /** @enum {string} */
            status?: "active" | "disabled";
            /**
             * Format: uri
             * @description https, without credentials, and leading to public addresses only, now and at every attempt (WEBHOOK_ALLOW_CIDRS opens others). A host that does not resolve now is accepted.
             * @example https://hooks.example.com/memory
             */
            url?: string;
        };
        ClassifyBeliefRequest: {
            /** @example Ada relocated to Lisbon in May. */
            query: string;
            /**
             * @description Look without leaving a trace in the memory: nothing is learned, counted as an access or prefetched. It still counts as a query.
             * @default false
             */
            read_only?: boolean;
        };
        ClassifyBeliefResponse: {
            /** @description The text pattern that is nearest, or has the nearest sentence, whatever the class; null when there is none. */
            best_match_id: string | null;
            /**
             * @description The class that is most probable.
             * @enum {string}
             */
            classification: "exact_match" | "composition" | "novel";
            /** @description Probability of the class given. */
            confidence: number;
            probabilities: components["schemas"]["BeliefProbabilities"];
        };
        CompareTextsRequest: {
            text_a: string;
            text_b: string;
        };
        CompareTextsResponse: {
            embedding_dim: number;
            /** @description Cosine similarity. */
            similarity: number;
        };
        ComposeFractionalInfo: {
            alpha_used: number;
            /** @enum {string} */
            blend_type: "spherical" | "linear" | "antipodal";
            /** @description Angle between A and B in radians. */
            geodesic_distance: number;
        };
        ComposeFractionalRequest: {
            /**
             * @description 0 gives A, 1 gives B.
             * @default 0.5
             */
            alpha?: number;
            /**
             * @example [
             *       1,
             *       0
             *     ]
             */
            key_a?: number[] | null;
            /**
             * @example [
             *       0,
             *       1
             *     ]
             */
            key_b?: number[] | null;
            /** @description Its id, or `ext:` and your own. */
            pattern_a_id?: string | null;
            /** @description Its id, or `ext:` and your own. */
            pattern_b_id?: string | null;
            text_a?: string | null;
            text_b?: string | null;
        };
        ComposeFractionalResponse: {
            /** @description Cosine of the result and the nearer end. */
            confidence: number;
            info: components["schemas"]["ComposeFractionalInfo"];
            result: number[];
        };
        ComposeVectorsRequest: {
            /** @description Of one length. */
            keys?: number[][] | null;
            /** @description In place of keys. */
            texts?: string[] | null;
            /** @description One a key or text, not all zero, may be negative. Default: equal. */
            weights?: number[] | null;
        };
        ComposeVectorsResponse: {
            /** @description Length of the weighted mean: 1 when all agree, near 0 when they cancel. */
            confidence: number;
            result: number[];
        };
        Conflict: {
            /** @description Starts with `cfl_`. */
            conflict_id: string;
            /** Format: date-time */
            found_at: string;
            /**
             * @description near_duplicate: they say nearly the same, and nothing shows a difference. possible_contradiction: they differ in what may contradict, and neither is clearly later. superseded_candidate: they differ so, and one is clearly later: it may take the place of the other.
             * @enum {string}
             */
            kind: "near_duplicate" | "possible_contradiction" | "superseded_candidate";
            /** @description Both, the older one first. */
            patterns: components["schemas"]["ConflictingText"][];
            /** @description In what they differ; null for a near duplicate. number: another number, date or identifier. unit: the same number of another unit, or hour of another half of the day. negation: one says no where the other says yes. opposite: what excludes the other, such as hating and liking, or two days of the week. direction: who does what to whom, or from where to where, is the other way round. name: another name in the same place. */
            reason: ("number" | "unit" | "negation" | "opposite" | "direction" | "name") | null;
            resolved_at: string | null;
            /** @description Cosine similarity. */
            similarity: number;
            /** @enum {string} */
            status: "open" | "kept" | "superseded" | "dismissed";
            /** @description The pattern that took the place of the other. */
            winner: string | null;
        };
        ConflictingText: {
            external_id: string | null;
            /** Format: date-time */
            occurred_at: string;
            /**
             * @description Starts with `pat_`.
             * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
             */
            pattern_id: string;
            subject: string | null;
            text: string;
        };
        ConflictList: {
            conflicts: components["schemas"]["Conflict"][];
            next_cursor: string | null;
        };
        ConsolidationCandidate: {
            /** @description pattern_idx of both, the lower first. */
            pair_id: number[];
            priority: number;
            times_validated: number;
        };
        ConsolidationCandidatesResponse: {
            candidates: components["schemas"]["ConsolidationCandidate"][];
        };
        ContextItem: {
            /** @description True where only a part of the text is shown. */
            cut?: boolean;
            /** @description Where it has one. */
            external_id?: string;
            /** @enum {string} */
            kind: "standing" | "added" | "changed" | "ended" | "found";
            /** Format: date-time */
            occurred_at: string;
            /**
             * @description Starts with `pat_`.
             * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
             */
            pattern_id: string;
            text: string;
        };
        /** @description How many lines of each kind are shown. */
        ContextLines: {
            added: number;
            changed: number;
            ended: number;
            found: number;
            standing: number;
        };
        ContextMessage: {
            content: string;
            /** @constant */
            role: "user";
        };
        CountPatternsRequest: {
            /** @description Only what occurred (`occurred_at`) at this time or later. */
            after?: string | null;
            /** @description What was recorded and valid at this time, in the versions of then, as far as they are kept; in store order. */
            as_of?: string | null;
            /** @description Only what occurred (`occurred_at`) earlier than this time, which is not included. */
            before?: string | null;
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Those too that are not valid any more, or not yet.
             * @default false
             */
            include_superseded?: boolean;
            /**
             * @description Only texts that contain this, in whatever case.
             * @example Lisbon
             */
            q?: string | null;
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
        };
        CountPatternsResponse: {
            count: number;
        };
        /**
         * @example {
         *       "name": "chatbot",
         *       "environment": "live",
         *       "scopes": [
         *         "memory:read",
         *         "memory:write"
         *       ]
         *     }
         */
        CreateApiKeyRequest: {
            /**
             * @default live
             * @enum {string}
             */
            environment?: "live" | "test";
            /** @description From this moment the key is refused; null never. Must be in the future. */
            expires_at?: string | null;
            /** @example production */
            name: string;
            /** @description null: full access. An empty list grants nothing. `memory:write` includes what a change answers: the pattern as it is then, or the ids of what went. */
            scopes?: ("memory:read" | "memory:write" | "usage:read" | "notifications:read" | "notifications:write" | "webhooks:read" | "webhooks:write" | "ops:run")[] | null;
            /**
             * @description With a subject: the key also reads patterns of no subject, and changes none of them.
             * @default false
             */
            shared?: boolean;
            /** @description Binds the key to an end user: it stores, finds, changes and removes patterns of this subject alone, and opens nothing of the space or the organization as a whole. It stays so, and its scopes are `memory:read` and `memory:write` at most. */
            subject?: string | null;
        };
        CreatedApiKey: {
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            environment: "live" | "test";
            /** Format: uuid */
            id: string;
            key: string;
            /** @description The first 16 characters of the key. */
            key_prefix: string;
            message: string;
            name: string;
            /** @description null: full access. */
            scopes: ("memory:read" | "memory:write" | "usage:read" | "notifications:read" | "notifications:write" | "webhooks:read" | "webhooks:write" | "ops:run")[] | null;
            /** @description Whether it also reads patterns of no subject. */
            shared: boolean;
            /** @description The end user whom the key is bound to; null for none. */
            subject: string | null;
        };
        CreateEmbeddingsRequest: {
            /** @description No other than the model has. */
            dimensions?: number | null;
            /**
             * @description `base64`: of the numbers as float32, little-endian.
             * @default float
             * @enum {string}
             */
            encoding_format?: "float" | "base64";
            /** @example Ada moved to Lisbon in May. */
            input: string | string[];
            /** @description Whatever is named, there is one model: the answer says which. */
            model?: string | null;
            /** @description Not looked at. */
            user?: string | null;
        };
        CreateEmbeddingsResponse: {
            data: components["schemas"]["Embedding"][];
            model: string;
            /** @constant */
            object: "list";
            usage: components["schemas"]["EmbeddingsUsage"];
        };
        CreateWebhookRequest: {
            description?: string | null;
            /** @description null: all. */
            event_types?: ("memory.regime_changed" | "memory.consolidation_completed" | "memory.pattern_limit_warning" | "memory.pattern_limit_reached" | "billing.payment_failed" | "account.key_expiring" | "organization.member_joined" | "account.export_ready")[] | null;
            /**
             * Format: uri
             * @description https, without credentials, and leading to public addresses only, now and at every attempt (WEBHOOK_ALLOW_CIDRS opens others). A host that does not resolve now is accepted.
             * @example https://hooks.example.com/memory
             */
            url: string;
        };
        DecideRoutingRequest: {
            /** @description What was said before the query; read together with it. */
            context?: string | null;
            /** @example Where does Ada live? */
            query: string;
            /**
             * @description Look without leaving a trace in the memory: nothing is learned, counted as an access or prefetched. It still counts as a query.
             * @default false
             */
            read_only?: boolean;
        };
        DecideRoutingResponse: {
            /** @description The score of the pathway. */
            confidence: number;
            /** @description Angle to the nearest text as a share of a right angle: 0 known, 1 entirely new. */
            geometric_surprise: number;
            /** @enum {string} */
            pathway: "exact" | "energy" | "attention";
            scores: components["schemas"]["RoutingScores"];
        };
        DeletePatternsRequest: {
            /**
             * @description Only say what would be deleted. It reads: a key needs `memory:read` too.
             * @default false
             */
            dry_run?: boolean;
            external_ids?: string[];
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`. An empty one is refused, and null: they would select everything.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            };
            pattern_ids?: string[];
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
        };
        DeletePatternsResponse: {
            deleted: number;
            pattern_ids: string[];
            /** @description A signed statement of what was erased (JWS, typ `erasure-receipt+jwt`), where anything was: see /v1/memory/receipts. */
            receipt?: string;
        };
        DetectSpuriousResponse: {
            spurious_pairs: number[][];
            /** @description Spurious pairs of those checked; 0 for none. */
            spurious_rate: number;
            total_checked: number;
        };
        DisableMfaRequest: {
            /** @example 123456 */
            code?: string;
            /** @description In place of a code from the app. */
            recovery_code?: string | null;
        };
        /** @description By pathway. */
        EfeEvaluations: {
            attention?: components["schemas"]["PathwayEvaluation"];
            energy?: components["schemas"]["PathwayEvaluation"];
            exact?: components["schemas"]["PathwayEvaluation"];
        };
        EmailRequest: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
        };
        Embedding: {
            embedding: number[] | string;
            index: number;
            /** @constant */
            object: "embedding";
        };
        /** @description Tokens of the model, its special ones included. */
        EmbeddingsUsage: {
            prompt_tokens: number;
            total_tokens: number;
        };
        EmbedTextRequest: {
            /** @description Required, unless `texts` is given. */
            text?: string;
            /** @description In place of `text`. */
            texts?: string[];
        };
        EmbedTextResponse: {
            dim: number;
            /** @description Of `text`. */
            embedding?: number[];
            /** @description Of `texts`. */
            embeddings?: number[][];
        };
        EmptiedSpace: {
            message: string;
            /** @description A signed statement of what was erased (JWS, typ `erasure-receipt+jwt`), where anything was: see /v1/memory/receipts. */
            receipt?: string;
        };
        ErasedSubject: {
            erased: number;
            receipt: string;
            subject: string;
        };
        Error: {
            detail: string;
        };
        EvaluateEfeRequest: {
            /**
             * @description Those to evaluate; one that is named twice counts once.
             * @default [
             *       "exact",
             *       "energy",
             *       "attention"
             *     ]
             */
            pathways?: ("exact" | "energy" | "attention")[];
            /** @example Where does Ada live? */
            query: string;
            /**
             * @description Look without leaving a trace in the memory: nothing is learned, counted as an access or prefetched. It still counts as a query.
             * @default false
             */
            read_only?: boolean;
        };
        EvaluateEfeResponse: {
            evaluations: components["schemas"]["EfeEvaluations"];
            /**
             * @description The one of least efe.
             * @enum {string}
             */
            recommended: "exact" | "energy" | "attention";
        };
        ExplainTextRequest: {
            /** @description Only what occurred (`occurred_at`) at this time or later. */
            after?: string | null;
            /** @description As at text retrieve: what is said is what was known then. What was learned of use since is left out. */
            as_of?: string | null;
            /** @description Only what occurred (`occurred_at`) earlier than this time, which is not included. */
            before?: string | null;
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /** @description Language of the explanation; null that of the query, English when it is neither. Quotes stay in theirs. */
            lang?: ("fr" | "en") | null;
            /** @example Where does Ada live? */
            query: string;
            /**
             * @description Look without leaving a trace in the memory: nothing is learned, counted as an access or prefetched. It still counts as a query.
             * @default false
             */
            read_only?: boolean;
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
        };
        ExplainTextResponse: {
            /** @description Probability that the first text quoted states what the query says; 0 without evidence. */
            confidence: number;
            explanation: string;
            /**
             * @description `no_evidence` when nothing stored is near enough to the query to be quoted, or has every word that says what it is about.
             * @enum {string}
             */
            method: "evidence" | "no_evidence";
        };
        Exploration: {
            coherence: number;
            composition_valid: boolean;
            consolidation_priority: number;
            /** @description What the trial told, in nats. */
            information_gain: number;
        };
        /** @description What an exploration did; null for a sleep. */
        ExplorationCounts: {
            /** @description Pairs whose composition was valid. */
            compositions_valid: number;
            total_explored: number;
        } | null;
        ExploreRequest: {
            /**
             * @description Pairs to try.
             * @default 5
             */
            batch_size?: number;
        };
        ExploreResponse: {
            explorations: components["schemas"]["Exploration"][];
            total_explored: number;
        };
        ExploreSuggestion: {
            /** @description In nats. */
            expected_information_gain: number;
            /** @description pattern_idx of both, the lower first. */
            pair_id: number[];
            /** @description Deviation of what is believed of the pair, 1 before its first trial. */
            uncertainty: number;
        };
        ExploreSuggestionsResponse: {
            suggestions: components["schemas"]["ExploreSuggestion"][];
        };
        Export: {
            /** @description Null until the export is ready. */
            download_url: string | null;
            /** Format: uuid */
            export_id: string;
            /** @enum {string} */
            status: "pending" | "ready" | "failed";
        };
        ForgetTextsRequest: {
            /** @description Such as identity, location or health. Compared exactly; those that the service finds are in lower case. */
            category?: string | null;
            /**
             * @description Only say what would be removed. It reads: a key needs `memory:read` too.
             * @default false
             */
            dry_run?: boolean;
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`. An empty one is refused, and null: they would select everything.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            };
            /**
             * @description Keep texts that are as similar as the threshold says but contradict the query, in a number, say; false goes by the similarity alone.
             * @default true
             */
            guard?: boolean;
            query?: string | null;
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
            /**
             * @description Least similarity to the query; a higher one forgets fewer.
             * @default 0.85
             */
            threshold?: number;
        };
        ForgetTextsResponse: {
            forgotten: number;
            /** @description What would have gone without the guard, in store order. */
            kept: components["schemas"]["KeptText"][];
            pattern_ids: string[];
            /** @description A signed statement of what was erased (JWS, typ `erasure-receipt+jwt`), where anything was: see /v1/memory/receipts. */
            receipt?: string;
            /** @description How many earlier versions of patterns that stay were what was to be forgotten, and hold nothing any more. Only where there are any. */
            versions?: number;
        };
        GetPatternsRequest: {
            external_ids?: string[];
            pattern_ids?: string[];
            /** @description Each the `pattern_idx` of one, as pairs of an exploration name it. */
            pattern_indexes?: number[];
        };
        GetPatternsResponse: {
            patterns: (components["schemas"]["Pattern"] | null)[];
        };
        GiveFeedbackRequest: {
            pattern_id: string;
            /** @description What was asked when the pattern was useful, or was not. */
            query?: string | null;
            useful: boolean;
        };
        Health: {
            caches: {
                embeddings: {
                    /** @description Bytes. */
                    bytes: number;
                    entries: number;
                    /** @description Since the process started. */
                    hits: number;
                    misses: number;
                };
                index: {
                    /** @description Bytes. */
                    bytes: number;
                    spaces: number;
                };
                lexical: {
                    /** @description Bytes. */
                    bytes: number;
                };
                payloads: {
                    /** @description Bytes. */
                    bytes: number;
                    entries: number;
                    evictions: number;
                    /** @description Since the process started. */
                    hits: number;
                    misses: number;
                };
            };
            /** @description null where nobody knows. */
            commit: string | null;
            database: {
                /** @enum {string} */
                kind: "embedded" | "postgres";
                /** @description The last of the tables’. */
                migration: string;
                /** @description Of PostgreSQL, also where it is embedded. */
                version: string;
            };
            /** @description Of the data folder; null where the system does not say. */
            disk: {
                /** @description Bytes. */
                free_bytes: number;
                /** @description Bytes. */
                total_bytes: number;
            } | null;
            encoder: {
                dimensions: number;
                model: string;
            };
            /** @enum {string} */
            kernels: "native" | "javascript";
            memory: {
                /** @description Outside of its heap. */
                buffer_bytes: number;
                /** @description Of JavaScript, in use. */
                heap_bytes: number;
                /** @description Bytes. */
                resident_bytes: number;
            };
            node: string;
            /** @description Why the process is not ready, and what to do; null where it is. */
            reason: string | null;
            /** @description null where `REDIS_URL` names none. */
            redis: {
                answers: boolean;
                /** @description null while it does not answer. */
                version: string | null;
            } | null;
            /** Format: date-time */
            started_at: string;
            /**
             * @description As `/readyz` says it; `not_ready` where that answers 503.
             * @enum {string}
             */
            status: "ready" | "degraded" | "not_ready";
            threads: {
                count: number;
                /** @description Tasks that wait for a thread. */
                queued: number;
            };
            version: string;
        };
        ImportantFact: {
            /**
             * @description What the caller named in the metadata, else one of identity, contact, location, health, finance, family, relationship, employment, education, religion, politics, sexuality, ethnicity, biometric, criminal, credentials.
             * @example health
             */
            category: string;
            /** @description Where it has one. */
            external_id?: string;
            /**
             * @description Starts with `pat_`.
             * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
             */
            pattern_id: string;
            /** @description Consolidation never weakens, merges or moves it to the cold tier. */
            protected: boolean;
            text: string;
        };
        ImportantResponse: {
            important: components["schemas"]["ImportantFact"][];
        };
        InjectAnomalyRequest: {
            /**
             * @description What the signal rises by.
             * @default 3
             */
            magnitude?: number;
        };
        InjectAnomalyResponse: {
            anomaly_triggered: boolean;
            /** @description Steps for which it lasts at least: 5 + round(5 magnitude). */
            burst_duration: number;
            /** @enum {string} */
            new_regime: "normal" | "high_surprise" | "anomaly" | "recovery";
            /** @enum {string} */
            previous_regime: "normal" | "high_surprise" | "anomaly" | "recovery";
        };
        Invitation: {
            /** Format: date-time */
            created_at: string;
            email: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
        };
        /**
         * @example {
         *       "email": "ben@example.com",
         *       "role": "member"
         *     }
         */
        InviteRequest: {
            /** Format: email */
            email: string;
            /**
             * @default member
             * @enum {string}
             */
            role?: "owner" | "admin" | "member";
        };
        Job: {
            /** @description That were made. */
            attempts: number;
            /** Format: date-time */
            created_at: string;
            /** @description While it is delayed. */
            due_at: string | null;
            /** @description Why the last attempt failed, up to 500 characters. */
            error: string | null;
            finished_at: string | null;
            id: string;
            max_attempts: number;
            name: string;
            /** @description Of work on one space. */
            space_id: string | null;
            started_at: string | null;
        };
        Jobs: {
            jobs: components["schemas"]["Job"][];
            next_cursor: string | null;
        };
        KeptText: {
            /**
             * @description Starts with `pat_`.
             * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
             */
            pattern_id: string;
            /**
             * @description How it contradicts the query. number: another number, date or identifier. unit: the same number of another unit, or hour of another half of the day. negation: one says no where the other says yes. opposite: what excludes the other, such as hating and liking, or two days of the week. direction: who does what to whom, or from where to where, is the other way round. name: another name in the same place.
             * @enum {string}
             */
            reason: "number" | "unit" | "negation" | "opposite" | "direction" | "name";
        };
        /** @description Of keys that were used, revoked ones too; most used first. */
        KeyUsage: {
            api_calls: number;
            /**
             * @description `key_` and the key’s id; `key_session` for users with an access token.
             * @example key_9a740b44-4680-4f1d-b986-26ec865b0107
             */
            key_id: string;
            name: string;
            /** @description Of all requests, 0 to 100. */
            percentage: number;
        };
        ListedReceipt: {
            claims: components["schemas"]["ReceiptClaims"];
            /** @description JWS, typ `erasure-receipt+jwt`. */
            receipt: string;
        };
        Liveness: {
            /** @constant */
            status: "ok";
        };
        /**
         * @example {
         *       "email": "ada@example.com",
         *       "password": "an analytical engine"
         *     }
         */
        LoginRequest: {
            /** Format: email */
            email: string;
            mfa_code?: string | null;
            /**
             * Format: password
             * @example an analytical engine
             */
            password: string;
            recovery_code?: string | null;
        };
        /** @description The strongest of what use has associated, 1000 at most, in lists again. */
        MapAssociations: {
            /** @description Places of patterns in the lists. */
            from: number[];
            strength: number[];
            to: number[];
        };
        MapCluster: {
            patterns: number;
            /** @description As the texts write them; none without texts. */
            words: string[];
            x: number;
            y: number;
        };
        Member: {
            email: string;
            full_name: string | null;
            /** Format: date-time */
            joined_at: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            /** Format: uuid */
            user_id: string;
        };
        Membership: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            plan: "free" | "starter" | "pro" | "scale" | "enterprise";
            /** @enum {string} */
            role: "owner" | "admin" | "member";
        };
        Message: {
            message: string;
        };
        MfaLoginRequest: {
            /**
             * @description Six digits from the app, or a recovery code.
             * @example 123456
             */
            code: string;
            /** @description `mfa_token` of the login. */
            token?: string | null;
        };
        MfaLoginResponse: {
            /** @description JWT; null when a second factor is needed. */
            access_token: string | null;
            /** @description Seconds that the access token lives. */
            expires_in: number;
            /** @description Works once; each refresh gives a new one. */
            refresh_token: string | null;
            /** @constant */
            token_type: "bearer";
        };
        ModulationHistoryResponse: {
            gates: number[];
            signals: number[];
            timestamps: string[];
        };
        ModulationResponse: {
            calibration: components["schemas"]["Calibration"];
            /** @description sigmoid(2 (signal - 1)): near 0 as usual, near 1 when much is new. */
            gate: number;
            /** @enum {string} */
            regime: "normal" | "high_surprise" | "anomaly" | "recovery";
            signal: number;
        };
        Notification: {
            /** @description Address of the console’s page, below the console: a path, with a query where that says which thing it is about. */
            action_url: string | null;
            /** Format: date-time */
            created_at: string;
            details: components["schemas"]["NotificationDetails"];
            /** @description Of the space that it concerns; null for what concerns the organization. */
            environment: ("live" | "test") | null;
            id: string;
            message: string;
            read: boolean;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            title: string;
            /** @enum {string} */
            type: "regime_changed" | "consolidation_completed" | "pattern_limit_warning" | "pattern_limit_reached" | "payment_failed" | "key_expiring" | "member_joined" | "export_ready";
        };
        NotificationDeleted: {
            /** @constant */
            deleted: true;
            id: string;
        };
        /** @description What the message says, as values, which ones by the type: as webhooks carry them, and the `name` instead of ids. */
        NotificationDetails: {
            consolidated?: number;
            /** Format: date-time */
            expires_at?: string;
            /** @description Of the key or the member that it is about; null for who is no more. */
            name?: string | null;
            /** @enum {string} */
            new_regime?: "normal" | "high_surprise" | "anomaly" | "recovery";
            patterns_limit?: number;
            patterns_used?: number;
            /** @enum {string} */
            previous_regime?: "normal" | "high_surprise" | "anomaly" | "recovery";
            /** @enum {string} */
            role?: "owner" | "admin" | "member";
        };
        NotificationRead: {
            id: string;
            /** @constant */
            read: true;
            /** Format: date-time */
            read_at: string;
        };
        Notifications: {
            data: components["schemas"]["Notification"][];
            pagination: {
                page: number;
                per_page: number;
                /** @description With `unread_only`, of the unread ones. */
                total: number;
                total_pages: number;
            };
            unread_count: number;
        };
        NotificationsDeleted: {
            deleted: number;
            preserved_unread: number;
        };
        NotificationsRead: {
            marked_read: number;
            /** Format: date-time */
            read_at: string;
        };
        OperationTiming: {
            /** @description Time of one iteration by the fallback, which is JavaScript, in milliseconds. */
            python_ms: number;
            /** @description Time of one iteration by the native kernels, in milliseconds; null without them. */
            rust_ms: number | null;
            /** @description python_ms / rust_ms. */
            speedup: number | null;
        };
        Organization: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            limits: {
                /** @description -1 stands for unlimited. */
                api_keys: number;
                /** @description -1 stands for unlimited. */
                members: number;
                /** @description -1 stands for unlimited. */
                patterns: number;
                /** @description -1 stands for unlimited. */
                queries_per_day: number;
            };
            name: string;
            /** @enum {string} */
            plan: "free" | "starter" | "pro" | "scale" | "enterprise";
            /**
             * @description What the caller is in it.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            /** @description What each subject may have and ask; null for what the plan leaves. */
            subject_limits: {
                patterns: number | null;
                queries_per_day: number | null;
            };
        };
        OrganizationUsage: {
            by_key: components["schemas"]["KeyUsage"][];
            /** Format: uuid */
            org_id: string;
            period: components["schemas"]["UsagePeriod"];
            totals: {
                api_calls: number;
                patterns: number;
                /** @description Megabytes of 1,000,000 bytes. */
                storage_mb: number;
            };
        };
        PathwayEvaluation: {
            /** @description Expected free energy in nats: lower is better. */
            efe: number;
            /** @description How far the pathway tells the candidates apart, and what its outcome would tell of it. */
            epistemic_value: number;
            /** @description Expected log preference of what it answers, less the cost of its time; at most 0. */
            pragmatic_value: number;
        };
        Pattern: {
            access_count: number;
            /** @description What was said of `protected`; null where nothing was, and it follows from metadata and category. */
            asked_protected: boolean | null;
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            external_id: string | null;
            last_accessed: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            occurred_at: string;
            /**
             * @description Starts with `pat_`.
             * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
             */
            pattern_id: string;
            pattern_idx: number;
            protected: boolean;
            subject: string | null;
            superseded_by: string | null;
            supersedes: string | null;
            text: string | null;
            /** @enum {string} */
            tier: "hot" | "warm" | "cold";
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            valid_from: string;
            /** @description Once it is over, no search and no list shows it. */
            valid_to: string | null;
            /** @description Counts its changes, from 1; the `ETag` of its answers. */
            version: number;
        };
        PatternHistory: {
            next_cursor: string | null;
            versions: components["schemas"]["PatternVersion"][];
        };
        PatternList: {
            next_cursor: string | null;
            patterns: components["schemas"]["Pattern"][];
        };
        PatternVersion: {
            /** @enum {string} */
            change: "created" | "updated" | "superseded" | "reverted" | "merged";
            /**
             * Format: date-time
             * @description When this version was made.
             */
            changed_at: string;
            /** @description Id of the API key or user that made it; null for the service itself, or when it is not known. */
            changed_by: string | null;
            expires_at: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            occurred_at: string | null;
            /** @description What it held was erased, or its `expires_at` has passed. */
            redacted: boolean;
            text: string | null;
            valid_from: string | null;
            valid_to: string | null;
            /** @description Null for a text. */
            value: number[] | null;
            version: number;
        };
        PaymentFailed: {
            data: components["schemas"]["BillingData"];
            /**
             * Format: date-time
             * @description When it happened: five minutes ahead of the service’s clock at most.
             */
            timestamp: string;
            /** @constant */
            type: "invoice.payment_failed";
        };
        Plan: {
            limits: {
                /** @description -1 stands for unlimited. */
                api_keys: number;
                /** @description -1 stands for unlimited. */
                members: number;
                /** @description -1 stands for unlimited. */
                patterns: number;
                /** @description -1 stands for unlimited. */
                queries_per_day: number;
            };
            /** @enum {string} */
            name: "free" | "starter" | "pro" | "scale" | "enterprise";
        };
        Plans: {
            /**
             * @description Of the organizations that registrations make.
             * @enum {string}
             */
            default_plan: "free" | "starter" | "pro" | "scale" | "enterprise";
            plans: components["schemas"]["Plan"][];
        };
        PolicyOverrides: {
            /** @description Sleep does nothing: in anomaly and recovery. */
            bypass_consolidation: boolean;
            /** @description Searches are exact: in anomaly and recovery. */
            force_exact: boolean;
            /** @description 0.5 + gate in normal and high_surprise, 0.1 in anomaly, 0.5 in recovery. */
            learning_rate_multiplier: number;
        };
        PredictTextsRequest: {
            /** @description Only what occurred (`occurred_at`) at this time or later. */
            after?: string | null;
            /** @description Only what occurred (`occurred_at`) earlier than this time, which is not included. */
            before?: string | null;
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /** @example When does the train to Porto leave? */
            query: string;
            /**
             * @description Look without leaving a trace in the memory: nothing is learned, counted as an access or prefetched. It still counts as a query.
             * @default false
             */
            read_only?: boolean;
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
            /** @default 5 */
            top_k?: number;
        };
        PredictTextsResponse: {
            predictions: components["schemas"]["TextPrediction"][];
        };
        PrefetchInvalidated: {
            cleared: boolean;
            /** @description Payloads of the space that were in memory. */
            previous_cache_size: number;
        };
        QuerySemanticRequest: {
            /** @description Only what occurred (`occurred_at`) at this time or later. */
            after?: string | null;
            /** @description Only what occurred (`occurred_at`) earlier than this time, which is not included. */
            before?: string | null;
            /**
             * @example [
             *       0.1,
             *       -0.2,
             *       0.3
             *     ]
             */
            embedding: number[];
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
            /** @default 5 */
            top_k?: number;
        };
        QueryVectorsRequest: {
            /** @description Only what occurred (`occurred_at`) at this time or later. */
            after?: string | null;
            /** @description As at text retrieve, by cosine alone, among keys of the query’s length. */
            as_of?: string | null;
            /** @description Only what occurred (`occurred_at`) earlier than this time, which is not included. */
            before?: string | null;
            /**
             * @example [
             *       0.1,
             *       -0.2,
             *       0.3
             *     ]
             */
            embedding: number[];
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Those too that are not valid any more, or not yet.
             * @default false
             */
            include_superseded?: boolean;
            /** @description Leave out what is less similar than this. */
            min_similarity?: number | null;
            /**
             * @description exact: by cosine. energy: the query settles among the patterns nearest to it, as in a Hopfield network, which clears noise up; ordered by the cosine of where it settled. auto: what promises more; a cosine of 0.95 is answered exactly.
             * @default exact
             * @enum {string}
             */
            pathway?: "exact" | "energy" | "auto";
            /**
             * @description Look without leaving a trace in the memory: nothing is learned, counted as an access or prefetched. It still counts as a query.
             * @default false
             */
            read_only?: boolean;
            /**
             * @description Bring values to the query’s length: by the inverse of the projection, or cut or padded.
             * @default false
             */
            return_native_dim?: boolean;
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
            /** @default 1 */
            top_k?: number;
        };
        QueryVectorsResponse: {
            /** @description Time spent in the service, in milliseconds. */
            latency_ms: number;
            results: components["schemas"]["VectorResult"][];
        };
        Queue: {
            /** @description Jobs that one process has in hand at once. */
            concurrency: number;
            jobs: {
                active: number;
                completed: number;
                delayed: number;
                failed: number;
                waiting: number;
            };
            /** @enum {string} */
            name: "spaces" | "tiers" | "chores";
            /** @description Since the installation began, by all workers; a killed worker’s may be missing. */
            total_completed: number;
            /** @description For good, after all attempts. */
            total_failed: number;
        };
        Queues: {
            /**
             * @description Where jobs wait: the embedded database, PostgreSQL, or the Redis of `REDIS_URL`.
             * @enum {string}
             */
            kept_in: "embedded" | "postgres" | "redis";
            queues: components["schemas"]["Queue"][];
            /**
             * @description Who does them: with the embedded database the process that answers, else the processes of `npm run worker`.
             * @enum {string}
             */
            worked_by: "this_process" | "workers";
        };
        ReadBrainResponse: {
            /** @enum {string} */
            consolidation_status: "idle" | "consolidating";
            /** @description In this order: semantic, lexical, associative, contiguity, salience. */
            head_weights: number[];
            /** @description Valid now: without what was superseded or is valid later. */
            patterns_total: number;
            /** @enum {string} */
            regime: "normal" | "high_surprise" | "anomaly" | "recovery";
            /** @description Of the latest search of the whole space, without filter, subject or bound; 0 before the first. A search with `read_only`, of another time or in `batch/retrieve` leaves it as it is. */
            surprise: number;
            /** @description The five patterns that most likely follow the one that was found last. */
            temporal_predictions: {
                /**
                 * @description Starts with `pat_`.
                 * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
                 */
                pattern_id: string;
                strength: number;
            }[];
        };
        ReadContextRequest: {
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description `text`: one fenced text; `messages`: one message of what stands and one of what was found, to be put where they belong; `json`: the lines as objects, counted as `text` would have them.
             * @default text
             * @enum {string}
             */
            format?: "text" | "messages" | "json";
            /**
             * @description Without it standing facts alone are answered, as many as the budget has room for.
             * @example Where does Ada live?
             */
            query?: string | null;
            /**
             * @description Look without leaving a trace in the memory: nothing is learned, counted as an access or prefetched. It still counts as a query.
             * @default false
             */
            read_only?: boolean;
            /** @description Answer in place of the standing facts what was added, changed or has ended since this time, the last first: `as_of` of an earlier answer. */
            since?: string | null;
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
            /**
             * @description What the context takes at most, marks of the fence included, counted by the service’s own encoder: other models count otherwise, most of them less.
             * @default 2000
             */
            token_budget?: number;
        };
        ReadContextResponse: {
            /**
             * Format: date-time
             * @description When it was read, for `since`: whatever was stored and is not in this answer has a later time.
             */
            as_of: string;
            /** @description Of what is shown: another one when any of it is another. */
            etag: string;
            /** @enum {string} */
            format: "text" | "messages" | "json";
            /** @description With format `json`. */
            items?: components["schemas"]["ContextItem"][];
            /** @description Time spent in the service, in milliseconds. */
            latency_ms: number;
            lines: components["schemas"]["ContextLines"];
            /** @description With format `messages`. Their role is `user`: stored texts must not speak with the authority of a system message. */
            messages?: components["schemas"]["ContextMessage"][];
            /** @description Standing facts, or changes, that were looked at and had no room. */
            omitted: number;
            /** @description With format `text`: the fenced lines; empty where there is nothing to say. */
            text?: string;
            /** @description The encoder whose tokens are counted. */
            tokenizer: string;
            /** @description What the context takes, as `tokenizer` counts. */
            tokens: number;
        };
        Readiness: {
            /** @enum {string} */
            database: "embedded" | "postgres";
            /** @enum {string} */
            queue: "embedded" | "postgres" | "redis";
            /** @enum {string} */
            status: "ready" | "degraded";
            version: string;
        };
        RecalledText: {
            /** @description Where it has one. */
            external_id?: string;
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description Of a long text: where the part is that is nearest to the query, if that is nearer than the whole. From the first character up to the end, counted in Unicode code points as every other count of characters.
             * @example {
             *       "start": 4210,
             *       "end": 4985
             *     }
             */
            passage?: {
                end: number;
                start: number;
            };
            /**
             * @description Starts with `pat_`.
             * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
             */
            pattern_id: string;
            /** @description With `explain`: what each part of the ranking added, in standard deviations over the space, and their sum, by which texts are ordered. Copies, identifiers and newer values are arranged after that. */
            scores?: {
                associative: number;
                contiguity: number;
                lexical: number;
                salience: number;
                semantic: number;
                /** @description For being of the time that the query names, else 0. */
                time: number;
                total: number;
            };
            /** @description Cosine similarity. */
            similarity: number;
            superseded_by?: string | null;
            text: string;
            /** Format: date-time */
            valid_from?: string;
            valid_to?: string | null;
            /** @description This and what follows only with `as_of` or `include_superseded`. */
            version?: number;
        };
        RecallInfo: {
            /** @description Texts that were scored. */
            candidates: number;
            /** @description Results that associations from use have raised. */
            co_access_boosted: number;
            /** @description Copies of texts that were left out: of one text the newest is answered. */
            collapsed: number;
            head_weights: {
                associative: number;
                contiguity: number;
                lexical: number;
                salience: number;
                semantic: number;
            };
            /** @description Texts of the space that share a term with the query. */
            lexical_hits: number;
            /**
             * @description exact while the regime forces it, else attention.
             * @enum {string}
             */
            pathway: "exact" | "energy" | "attention";
            /** @enum {string} */
            regime: "normal" | "high_surprise" | "anomaly" | "recovery";
            /** @description The order differs from that by cosine. */
            reranked: boolean;
            /** @description Angle to the nearest text, as a share of a right angle: 0 known, 1 unlike everything. */
            surprise: number;
            /** @description The time that the query names, up to before `to`, and its words for it: texts whose `occurred_at` lies in it were preferred. Absent where it surely names none, and with `time: false` or `as_of`. */
            time?: {
                expression: string;
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
            };
        };
        RecallTextsRequest: {
            /** @description Only what occurred (`occurred_at`) at this time or later. */
            after?: string | null;
            /** @description As at text retrieve, by meaning alone: what was learned since is of another time. */
            as_of?: string | null;
            /** @description Only what occurred (`occurred_at`) earlier than this time, which is not included. */
            before?: string | null;
            /**
             * @description Say in `scores` what each part of the ranking added to a result.
             * @default false
             */
            explain?: boolean;
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Those too that are not valid any more, or not yet.
             * @default false
             */
            include_superseded?: boolean;
            /** @description Leave out what is less similar than this. */
            min_similarity?: number | null;
            /** @example Where does Ada live? */
            query: string;
            /**
             * @description Look without leaving a trace in the memory: nothing is learned, counted as an access or prefetched. It still counts as a query.
             * @default false
             */
            read_only?: boolean;
            /** @description From when “yesterday” or “last week” in the query is seen. Default: now. */
            reference_time?: string | null;
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
            /**
             * @description Prefer texts of the time that the query names (`info.time`), if it surely names one: yesterday, last week, in March, 7 May 2024 and the like, in English, French, German, Spanish, Italian, Portuguese, Dutch, Chinese and Japanese, in UTC. Others are found too; `after` and `before` leave them out.
             * @default true
             */
            time?: boolean;
            /** @default 5 */
            top_k?: number;
        };
        RecallTextsResponse: {
            info: components["schemas"]["RecallInfo"];
            /** @description Time spent in the service, in milliseconds. */
            latency_ms: number;
            results: components["schemas"]["RecalledText"][];
        };
        ReceiptClaims: {
            /** Format: date-time */
            completed_at: string;
            /** @description Rows that were removed, by what they were. */
            counts: {
                [key: string]: number;
            };
            iat: number;
            /** @description Of the ids of the patterns, sorted byte by byte and joined by line feeds: SHA-256 in hex. */
            ids_sha256: string;
            /** @description The service: `PUBLIC_BASE_URL`. */
            iss: string;
            jti: string;
            /**
             * Format: date-time
             * @description When the audit log no longer says that so many patterns were erased. What they held is in no log.
             */
            log_purged_by: string;
            org: string;
            /** Format: date-time */
            requested_at: string;
            /** @description Of what chose the patterns, as canonical JSON (RFC 8785): SHA-256 in hex. */
            selector_sha256: string;
            /** @description null where the whole organization was erased. */
            space: string | null;
        };
        ReceiptList: {
            next_cursor: string | null;
            receipts: components["schemas"]["ListedReceipt"][];
        };
        RefreshRequest: {
            /** @example rt_RXH_wKkdkKA3R-sYLIiG-TqO_nYcRrTRj8bHAMnV0ek */
            refresh_token: string;
        };
        RegimeHistoryResponse: {
            /** @description Share of each regime in the history; all 0 where that is empty. */
            distribution: {
                anomaly: number;
                high_surprise: number;
                normal: number;
                recovery: number;
            };
            history: ("normal" | "high_surprise" | "anomaly" | "recovery")[];
            /** @description Of each regime in the history. */
            timestamps: string[];
            /** @description Changes of the regime within the history. */
            transitions: number;
        };
        RegimeResponse: {
            anomaly_active: boolean;
            /** @description Smoothed standard score of what was new: about 0 as usual. */
            modulation_signal: number;
            policy_overrides: components["schemas"]["PolicyOverrides"];
            /** @enum {string} */
            regime: "normal" | "high_surprise" | "anomaly" | "recovery";
        };
        /**
         * @example {
         *       "email": "ada@example.com",
         *       "password": "an analytical engine",
         *       "full_name": "Ada Lovelace",
         *       "organization_name": "Analytical Engines"
         *     }
         */
        RegisterRequest: {
            /** Format: email */
            email: string;
            full_name?: string | null;
            /** @description Another name of `full_name`. */
            name?: string | null;
            organization_name?: string | null;
            /**
             * Format: password
             * @description At most 1024 bytes in UTF-8; measured and compared in Unicode NFKC, and not changed in any other way.
             * @example a difference engine
             */
            password: string;
        };
        RegisterResponse: {
            access_token: string;
            email: string;
            message: string;
            /** Format: uuid */
            organization_id: string;
            refresh_token: string;
            /** Format: uuid */
            user_id: string;
        };
        RequestExportResponse: {
            /** Format: uuid */
            export_id: string;
            /** @enum {string} */
            status: "pending" | "ready" | "failed";
        };
        ResetPasswordRequest: {
            /**
             * Format: password
             * @description At most 1024 bytes in UTF-8; measured and compared in Unicode NFKC, and not changed in any other way.
             * @example a difference engine
             */
            new_password: string;
            /** @example reset_RXH_wKkdkKA3R-sYLIiG-TqO_nYcRrTRj8bHAMnV0ek */
            token: string;
        };
        ResolveConflictRequest: {
            /**
             * @description keep: both are true. supersede: one takes the place of the other, as with `supersedes` of a store: the other one is valid until the `valid_from` of the one, or until now where that is no later than its own; its version before is kept. dismiss: it is no conflict.
             * @enum {string}
             */
            resolution: "keep" | "supersede" | "dismiss";
            /** @description Which of the two takes the place of the other, `pattern_id` or `ext:` and your own; with `supersede` alone. Default: the newer. */
            winner?: string | null;
        };
        RetrievedText: {
            /** @description Where it has one. */
            external_id?: string;
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description Starts with `pat_`.
             * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
             */
            pattern_id: string;
            /** @description With `explain`: retrieve orders by the cosine alone. */
            scores?: {
                /** @description Cosine similarity. */
                semantic: number;
                /** @description Cosine similarity. */
                total: number;
            };
            /** @description Cosine similarity. */
            similarity: number;
            superseded_by?: string | null;
            text: string;
            /** Format: date-time */
            valid_from?: string;
            valid_to?: string | null;
            /** @description This and what follows only with `as_of` or `include_superseded`. */
            version?: number;
        };
        RetrievedVector: {
            /** @description The score that the order follows, as a cosine; below 0 as 0, above 1 as 1. */
            confidence: number;
            /** @description Where it has one. */
            external_id?: string;
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Starts with `pat_`.
             * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
             */
            pattern_id: string;
            /** @description Cosine similarity. */
            semantic_score: number;
            superseded_by?: string | null;
            /** Format: date-time */
            valid_from?: string;
            valid_to?: string | null;
            /** @description This and what follows only with `as_of` or `include_superseded`. */
            version?: number;
            /** @description Its rank differs from its rank by cosine. */
            was_reranked: boolean;
        };
        RetrieveTextsRequest: {
            /** @description Only what occurred (`occurred_at`) at this time or later. */
            after?: string | null;
            /** @description Answer from what was recorded and valid at this time, in the versions of then, as far as they are kept. Every key is compared, which takes longer, and nothing is learned. */
            as_of?: string | null;
            /** @description Only what occurred (`occurred_at`) earlier than this time, which is not included. */
            before?: string | null;
            /**
             * @description Say in `scores` what each part of the ranking added to a result.
             * @default false
             */
            explain?: boolean;
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Those too that are not valid any more, or not yet.
             * @default false
             */
            include_superseded?: boolean;
            /** @description Leave out what is less similar than this. */
            min_similarity?: number | null;
            /** @example Where does Ada live? */
            query: string;
            /**
             * @description Look without leaving a trace in the memory: nothing is learned, counted as an access or prefetched. It still counts as a query.
             * @default false
             */
            read_only?: boolean;
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
            /** @default 5 */
            top_k?: number;
        };
        RetrieveTextsResponse: {
            /** @description Time spent in the service, in milliseconds. */
            latency_ms: number;
            results: components["schemas"]["RetrievedText"][];
        };
        RetrieveTieredRequest: {
            /** @description Only what occurred (`occurred_at`) at this time or later. */
            after?: string | null;
            /** @description As at text retrieve; tiers are those of now, of which no history is kept. */
            as_of?: string | null;
            /** @description Only what occurred (`occurred_at`) earlier than this time, which is not included. */
            before?: string | null;
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Those too that are not valid any more, or not yet.
             * @default false
             */
            include_superseded?: boolean;
            /** @description Leave out what is less similar than this. */
            min_similarity?: number | null;
            /** @example Where does Ada live? */
            query: string;
            /**
             * @description Look without leaving a trace in the memory: nothing is learned, counted as an access or prefetched. It still counts as a query.
             * @default false
             */
            read_only?: boolean;
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
            /** @description Only patterns of this tier; null all. */
            tier?: ("hot" | "warm" | "cold") | null;
            /** @default 5 */
            top_k?: number;
        };
        RetrieveTieredResponse: {
            results: components["schemas"]["TieredResult"][];
        };
        RetrieveVectorsInfo: {
            /** @description The best result gained from more than its cosine. */
            boosted: boolean;
            boosted_top_score: number;
            /** @description Patterns that were compared; with `as_of` or `include_superseded` those found. */
            n_candidates: number;
            /** @description By cosine; 0 when nothing was found. */
            original_top_score: number;
        };
        RetrieveVectorsRequest: {
            /** @description Only what occurred (`occurred_at`) at this time or later. */
            after?: string | null;
            /** @description As at text retrieve, by cosine alone, among keys of the query’s length. */
            as_of?: string | null;
            /** @description Only what occurred (`occurred_at`) earlier than this time, which is not included. */
            before?: string | null;
            /**
             * @example [
             *       0.1,
             *       -0.2,
             *       0.3
             *     ]
             */
            embedding: number[];
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Those too that are not valid any more, or not yet.
             * @default false
             */
            include_superseded?: boolean;
            /** @description Leave out what is less similar than this. */
            min_similarity?: number | null;
            /**
             * @description Look without leaving a trace in the memory: nothing is learned, counted as an access or prefetched. It still counts as a query.
             * @default false
             */
            read_only?: boolean;
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
            /** @default 5 */
            top_k?: number;
        };
        RetrieveVectorsResponse: {
            info: components["schemas"]["RetrieveVectorsInfo"];
            /** @description Time spent in the service, in milliseconds. */
            latency_ms: number;
            results: components["schemas"]["RetrievedVector"][];
        };
        RevertPatternRequest: {
            version: number;
        };
        /** @description softmax(-efe): their sum is 1. */
        RoutingScores: {
            attention: number;
            energy: number;
            exact: number;
        };
        Run: {
            /** Format: date-time */
            began_at: string;
            /**
             * @description asked: by a request. scheduled: the space was due, since it was used and then left alone.
             * @enum {string}
             */
            cause: "asked" | "scheduled";
            /** @description null: a scheduled sleep that has not come to the end of the space yet, and goes on. */
            ended_at: string | null;
            /** @description Code of the error that the run ended in: what it had done by then stays. abandoned: whoever asked for it hung up, which ended it. null: it ended well, or goes on. */
            error: string | null;
            exploration: components["schemas"]["ExplorationCounts"];
            /** @enum {string} */
            kind: "sleep" | "exploration";
            /** @description Starts with `run_`. */
            run_id: string;
            sleep: components["schemas"]["SleepCounts"];
        };
        RunBenchmarkRequest: {
            /** @default 100 */
            n_iterations?: number;
            /**
             * @description A repeated one counts once.
             * @default [
             *       "cosine",
             *       "einsum",
             *       "hdc_bind"
             *     ]
             */
            operations?: ("cosine" | "einsum" | "hdc_bind" | "top_k" | "hopfield" | "quantized_top_k" | "slerp")[];
        };
        RunBenchmarkResponse: {
            /** @description Iterations that were run of each operation. */
            n_iterations: number;
            results: {
                [key: string]: components["schemas"]["OperationTiming"];
            };
            /** @description With all checks, warm-up and waiting. */
            total_duration_ms: number;
        };
        RunList: {
            next_cursor: string | null;
            runs: components["schemas"]["Run"][];
        };
        SearchPatternsRequest: {
            /** @description Only what occurred (`occurred_at`) at this time or later. */
            after?: string | null;
            /** @description What was recorded and valid at this time, in the versions of then, as far as they are kept; in store order. */
            as_of?: string | null;
            /** @description Only what occurred (`occurred_at`) earlier than this time, which is not included. */
            before?: string | null;
            /** @description `next_cursor` of the page before, which must have been asked for in the same order. */
            cursor?: string | null;
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Those too that are not valid any more, or not yet.
             * @default false
             */
            include_superseded?: boolean;
            /** @default 50 */
            limit?: number;
            /**
             * @description By a time, the oldest first; with - the newest. `created_at` is store order.
             * @default created_at
             * @enum {string}
             */
            order?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "occurred_at" | "-occurred_at";
            /**
             * @description Only texts that contain this, in whatever case.
             * @example Lisbon
             */
            q?: string | null;
            /** @description The end user whose patterns are meant, or several of them; null for patterns of none. Default: all. */
            subject?: string | string[] | null;
        };
        Session: {
            /** @description The program that the user has let in by MCP, where the session is one’s. */
            client?: string;
            /** Format: date-time */
            created_at: string;
            /** @description From the `User-Agent` of the sign-in. */
            device: string;
            id: string;
            /** @description Of the sign-in; empty where it is not known. */
            ip_address: string;
            /** @description Whether it is the session of this request. */
            is_current: boolean;
            /**
             * Format: date-time
             * @description Written about once a minute.
             */
            last_active: string;
            location: string;
        };
        SetUpMfaResponse: {
            message: string;
            /** @description For a QR code. */
            otpauth_uri: string;
            /** @description 160 bits in Base32. */
            secret: string;
        };
        SigningKey: {
            /** @constant */
            alg: "RS256";
            e: string;
            /** @description RFC 7638 thumbprint. */
            kid: string;
            /** @constant */
            kty: "RSA";
            n: string;
            /** @constant */
            use: "sig";
        };
        SigningKeys: {
            keys: components["schemas"]["SigningKey"][];
        };
        /** @description What a sleep did so far; null for an exploration. */
        SleepCounts: {
            compositions_discovered: number;
            /** @description Conflicts that were not known. */
            conflicts: number;
            /** @description Patterns merged or moved to another tier, and pairs that became compositions. */
            consolidated: number;
            patterns_strengthened: number;
            patterns_weakened: number;
        } | null;
        SleepRequest: {
            /**
             * @description Patterns to replay.
             * @default 5
             */
            batch_size?: number;
        };
        SleepResponse: {
            /**
             * @description The regime has consolidation bypassed: nothing was done.
             * @constant
             */
            bypassed?: true;
            compositions_discovered: number;
            /** @description Conflicts that were not known. */
            conflicts: number;
            /** @description Patterns merged or moved to another tier, and pairs that became compositions. */
            consolidated: number;
            patterns_strengthened: number;
            patterns_weakened: number;
        };
        SpaceMapResponse: {
            associations: components["schemas"]["MapAssociations"];
            /** @description Places in `clusters`. */
            cluster: number[];
            /** @description The largest first, each with the middle of its patterns. */
            clusters: components["schemas"]["MapCluster"][];
            /** @description Seconds since 1970. */
            created_s: number[];
            /** @description Length of the vectors that are shown; 0 where there are none. */
            dimensions: number;
            /** @description Lengths of vectors, and how many patterns have them; most first. */
            lengths: {
                dimensions: number;
                patterns: number;
            }[];
            pattern_ids: string[];
            /** @description Places in this list: hot, warm, cold. */
            tier: number[];
            /** @description Patterns that are meant, of every length. */
            total: number;
            x: number[];
            y: number[];
        };
        StoredSubject: {
            /** @description What the patterns take: texts, metadata and vectors. */
            bytes: number;
            /** Format: date-time */
            first_stored_at: string;
            /** Format: date-time */
            last_stored_at: string;
            patterns: number;
            subject: string;
        };
        StoreTextRequest: {
            /** @description From this moment the pattern is in no answer; null never. Must be in the future. */
            expires_at?: string | null;
            /**
             * @description Your own id for it, one of a kind in the space.
             * @example note-17
             */
            external_id?: string | null;
            /**
             * @description Any JSON object of up to 16 KiB and 8 levels.
             * @example {
             *       "role": "user",
             *       "source": "chat"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description When the fact was stated, for imports. Default: now. */
            occurred_at?: string | null;
            /**
             * @description What happens where an `external_id` is there already: replace its text, vectors, metadata and times, said or not (`pattern_id` and `pattern_idx` stay, and `subject` and `protected` where nothing is said of them; what is the same makes no version), skip what is sent, or refuse all of it with 409. What is of another `subject` than is named is not replaced: that is a 409 too.
             * @default replace
             * @enum {string}
             */
            on_conflict?: "replace" | "skip" | "error";
            /** @description Whether consolidation must leave it alone. Default: what was said of the pattern whose `external_id` it has; else, and where it is null, what its metadata and category say. */
            protected?: boolean | null;
            /**
             * @description The end user whose it is; not `.` or `..`.
             * @example ada
             */
            subject?: string | null;
            /** @description The pattern that it takes the place of, `pattern_id` or `ext:` and an own id: that one is valid until this one’s `valid_from`, which must not be earlier than when that one was said to begin. */
            supersedes?: string | null;
            /** @example Ada moved to Lisbon in May. */
            text: string;
            /** @description From when on it holds. Default: `occurred_at`, but not after `valid_to`. Searches and lists show what is valid now, and what is yet to come from that time on. */
            valid_from?: string | null;
            /** @description Until when it holds. Default: without end. */
            valid_to?: string | null;
        };
        StoreTextResponse: {
            /** @description False where a pattern with this `external_id` was there. */
            created: boolean;
            embedding_dim: number;
            /**
             * @description Starts with `pat_`.
             * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
             */
            pattern_id: string;
            /** @description -1 stands for unlimited. */
            patterns_limit: number;
            patterns_used: number;
            success: boolean;
        };
        StoreVectorRequest: {
            /** @description From this moment the pattern is in no answer; null never. Must be in the future. */
            expires_at?: string | null;
            /**
             * @description Your own id for it, one of a kind in the space.
             * @example note-17
             */
            external_id?: string | null;
            /**
             * @description What the pattern is found by; kept as float32. It need not be unique.
             * @example [
             *       0.1,
             *       -0.2,
             *       0.3
             *     ]
             */
            key: number[];
            /**
             * @description Any JSON object of up to 16 KiB and 8 levels.
             * @example {
             *       "role": "user",
             *       "source": "chat"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description When the fact was stated, for imports. Default: now. */
            occurred_at?: string | null;
            /**
             * @description What happens where an `external_id` is there already: replace its text, vectors, metadata and times, said or not (`pattern_id` and `pattern_idx` stay, and `subject` and `protected` where nothing is said of them; what is the same makes no version), skip what is sent, or refuse all of it with 409. What is of another `subject` than is named is not replaced: that is a 409 too.
             * @default replace
             * @enum {string}
             */
            on_conflict?: "replace" | "skip" | "error";
            /** @description Whether consolidation must leave it alone. Default: what was said of the pattern whose `external_id` it has; else, and where it is null, what its metadata and category say. */
            protected?: boolean | null;
            /** @description Dimension that key and value were projected down from, at least the key’s length. Queries of that length find the pattern too. */
            source_dim?: number | null;
            /**
             * @description The end user whose it is; not `.` or `..`.
             * @example ada
             */
            subject?: string | null;
            /** @description The pattern that it takes the place of, `pattern_id` or `ext:` and an own id: that one is valid until this one’s `valid_from`, which must not be earlier than when that one was said to begin. */
            supersedes?: string | null;
            /** @description From when on it holds. Default: `occurred_at`, but not after `valid_to`. Searches and lists show what is valid now, and what is yet to come from that time on. */
            valid_from?: string | null;
            /** @description Until when it holds. Default: without end. */
            valid_to?: string | null;
            /**
             * @description What is found, of any length; kept as float32.
             * @example [
             *       1,
             *       0.5,
             *       0.25
             *     ]
             */
            value: number[];
        };
        StoreVectorResponse: {
            /** @description False where a pattern with this `external_id` was there. */
            created: boolean;
            /**
             * @description Starts with `pat_`.
             * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
             */
            pattern_id: string;
            /** @description -1 stands for unlimited. */
            patterns_limit: number;
            patterns_used: number;
            success: boolean;
        };
        Subject: {
            /** @description What the patterns take: texts, metadata and vectors. */
            bytes: number;
            /** Format: date-time */
            first_stored_at: string;
            /** Format: date-time */
            last_stored_at: string;
            patterns: number;
            /** @description null where the organization does not limit them: then they are not counted. */
            queries_this_month: number | null;
            subject: string;
            texts: number;
        };
        SubjectList: {
            next_cursor: string | null;
            subjects: components["schemas"]["StoredSubject"][];
        };
        SubjectToken: {
            /** Format: date-time */
            expires_at: string;
            scopes: ("memory:read" | "memory:write")[];
            shared: boolean;
            subject: string;
            token: string;
            /** @constant */
            token_type: "Bearer";
        };
        SubjectTokenRequest: {
            /** @description Default: both, as far as whoever asks has them. */
            scopes?: ("memory:read" | "memory:write")[];
            /**
             * @description Its bearer also reads patterns of no subject, and changes none of them.
             * @default false
             */
            shared?: boolean;
            subject: string;
            /**
             * @description Seconds for which it holds.
             * @default 900
             */
            ttl_s?: number;
        };
        SubscriptionDeleted: {
            data: components["schemas"]["BillingData"];
            /**
             * Format: date-time
             * @description When it happened: five minutes ahead of the service’s clock at most.
             */
            timestamp: string;
            /** @constant */
            type: "subscription.deleted";
        };
        SubscriptionUpdated: {
            data: components["schemas"]["BillingPlanData"];
            /**
             * Format: date-time
             * @description When it happened: five minutes ahead of the service’s clock at most.
             */
            timestamp: string;
            /** @constant */
            type: "subscription.updated";
        };
        SuspendUserRequest: {
            /**
             * @description Stands in the audit log, which the user can read.
             * @example Asked for by the user
             */
            reason?: string | null;
        };
        TextPrediction: {
            /** @description Where it has one. */
            external_id?: string;
            /**
             * @description Starts with `pat_`.
             * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
             */
            pattern_id: string;
            /** @description Share of what comes within four steps, nearer ones counting more; at most 1 in all. */
            strength: number;
            text: string;
        };
        TextStatisticsResponse: {
            embedding_dim: number;
            storage_bytes: number;
            total_patterns: number;
        };
        TierDistributionResponse: {
            cold: number;
            hot: number;
            total: number;
            warm: number;
        };
        TieredResult: {
            /** @description Cosine similarity, negative ones as 0. */
            confidence: number;
            /** @description When it was last in an answer before this one; null never. */
            last_accessed: string | null;
            superseded_by?: string | null;
            text: string;
            /** @enum {string} */
            tier: "hot" | "warm" | "cold";
            /** Format: date-time */
            valid_from?: string;
            valid_to?: string | null;
            /** @description This and what follows only with `as_of` or `include_superseded`. */
            version?: number;
        };
        TierStatisticsResponse: {
            cold_hit_rate: number;
            /** @description Moves to a lower tier. */
            demotions: number;
            /** @description Share of the accesses; 0 before the first. */
            hot_hit_rate: number;
            /** @description Moves to a higher tier. */
            promotions: number;
            total_accesses: number;
            warm_hit_rate: number;
        };
        TokenResponse: {
            /** @description JWT; null when a second factor is needed. */
            access_token: string | null;
            /** @description Seconds that the access token lives. */
            expires_in: number;
            mfa_required: boolean;
            /** @description For POST /v1/auth/mfa/login, when a second factor is needed; five minutes. */
            mfa_token?: string;
            /** @description Works once; each refresh gives a new one. */
            refresh_token: string | null;
            /** @constant */
            token_type: "bearer";
        };
        TotalUsage: {
            days: components["schemas"]["TotalUsageDay"][];
            organizations: number;
            patterns: number;
            /** @description Megabytes of 1,000,000 bytes. */
            storage_mb: number;
            users: number;
        };
        TotalUsageDay: {
            /** @description That sent at least one of them. */
            active_organizations: number;
            api_calls: number;
            /** Format: date */
            date: string;
            /** @description What they counted against the plans’ queries a day. */
            queries: number;
        };
        UsageBreakdown: {
            /** @enum {string} */
            by: "operation" | "key" | "subject";
            items: components["schemas"]["UsageShare"][];
            next_cursor: string | null;
            /** Format: date-time */
            since: string;
            /** @description What all items, on whichever page, come to; by subject with the patterns of no subject. */
            total: number;
            until: string | null;
        };
        UsageHistory: {
            data_points: components["schemas"]["UsagePoint"][];
            /** @enum {string} */
            granularity: "hourly" | "daily" | "weekly";
            /** @enum {string} */
            period: "7d" | "30d" | "90d" | "365d";
        };
        UsageLatency: {
            /** @description Of every operation, whichever was asked for. */
            by_operation: {
                consolidate: {
                    /** @description Milliseconds. */
                    p50: number;
                    /** @description Milliseconds. */
                    p95: number;
                    /** @description Milliseconds. */
                    p99: number;
                };
                explain: {
                    /** @description Milliseconds. */
                    p50: number;
                    /** @description Milliseconds. */
                    p95: number;
                    /** @description Milliseconds. */
                    p99: number;
                };
                recall: {
                    /** @description Milliseconds. */
                    p50: number;
                    /** @description Milliseconds. */
                    p95: number;
                    /** @description Milliseconds. */
                    p99: number;
                };
                retrieve: {
                    /** @description Milliseconds. */
                    p50: number;
                    /** @description Milliseconds. */
                    p95: number;
                    /** @description Milliseconds. */
                    p99: number;
                };
                store: {
                    /** @description Milliseconds. */
                    p50: number;
                    /** @description Milliseconds. */
                    p95: number;
                    /** @description Milliseconds. */
                    p99: number;
                };
            };
            /** @description null: all of them. */
            operation: ("store" | "retrieve" | "recall" | "explain" | "consolidate") | null;
            percentiles: {
                /** @description Milliseconds. */
                p50: number;
                /** @description Milliseconds. */
                p75: number;
                /** @description Milliseconds. */
                p90: number;
                /** @description Milliseconds. */
                p95: number;
                /** @description Milliseconds. */
                p99: number;
            };
            /** @enum {string} */
            period: "1h" | "6h" | "24h" | "7d";
            /** @description What the percentiles are of. */
            total_requests: number;
        };
        /** @description The current calendar month, UTC. */
        UsagePeriod: {
            /**
             * Format: date-time
             * @description The first moment that is no longer of it.
             */
            end: string;
            /** Format: date-time */
            start: string;
        };
        UsagePoint: {
            api_calls: number;
            /**
             * @description Begin of the point, UTC: the date of a day, or of a week’s Monday; of an hour with its time.
             * @example 2026-11-22
             * @example 2026-11-22T14:00:00.000Z
             */
            date: string;
            /** @description When the point ended; of the last one, now. */
            patterns_total: number;
            retrieves: number;
            /** @description Megabytes of 1,000,000 bytes. */
            storage_mb: number;
            stores: number;
        };
        UsageShare: {
            /** @description Requests, or by subject the patterns that are there. */
            count: number;
            /** @description Of a key; else null. */
            name: string | null;
            /**
             * @description The operation (`store`, `retrieve`, `recall`, `explain`, `consolidate`, `other`); the key (`key_` and its id, `key_session` for users with an access token); the subject.
             * @example retrieve
             * @example key_9a740b44-4680-4f1d-b986-26ec865b0107
             * @example ada
             */
            of: string;
            /** @description Of the total, 0 to 100. */
            percentage: number;
            /** @description By subject: how many of them were stored within the time; else null. */
            stored: number | null;
        };
        UsageSummary: {
            api_calls: {
                consolidations: number;
                explains: number;
                other: number;
                recalls: number;
                retrieves: number;
                stores: number;
                total: number;
            };
            patterns: {
                /** @description -1 stands for unlimited. */
                limit: number;
                /** @description 0 to 100; of an unlimited plan 0. */
                percentage: number;
                used: number;
            };
            period: components["schemas"]["UsagePeriod"];
            rate_limit: {
                /** @description Queries of the current UTC day. */
                current: number;
                /** @description Queries of the day of the period that had most. */
                peak_usage: number;
            };
            /** @description Megabytes of 1,000,000 bytes. */
            storage_mb: number;
        };
        User: {
            avatar_url: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: email */
            email: string;
            email_verified: boolean;
            full_name: string | null;
            /** Format: uuid */
            id: string;
            is_platform_admin: boolean;
            /** Format: date-time */
            last_login_at: string;
            mfa_enabled: boolean;
            /** @description The organization that the request is for: the one that it names, else the oldest membership’s; null without one. */
            organization_id: string | null;
            /** @enum {string} */
            status: "active" | "suspended" | "deleted";
        };
        ValidationError: {
            detail: {
                ctx?: {
                    [key: string]: unknown;
                };
                input?: unknown;
                loc: (string | number)[];
                msg: string;
                type: string;
            }[];
        };
        VectorPattern: {
            key: number[];
            metadata: {
                [key: string]: unknown;
            } | null;
            value: number[];
        };
        VectorResult: {
            /** @description Cosine similarity, negative ones as 0. */
            confidence: number;
            /** @description Where it has one. */
            external_id?: string;
            /**
             * @description How the pattern was found.
             * @enum {string}
             */
            pathway: "exact" | "energy";
            /**
             * @description Starts with `pat_`.
             * @example pat_01kagw5zdpk2r4f9m0x7y3v8qe
             */
            pattern_id: string;
            superseded_by?: string | null;
            /** Format: date-time */
            valid_from?: string;
            valid_to?: string | null;
            value: number[];
            /** @description This and what follows only with `as_of` or `include_superseded`. */
            version?: number;
        };
        VerifiedReceipt: {
            checked_ids: boolean;
            /** @description What the receipt says; null unless it is valid so far. */
            claims: components["schemas"]["ReceiptClaims"] | null;
            /** @description Why it is not valid. signature: it is no receipt that this service has signed. organization: it is of another organization. unknown: its signature holds, but the service has no such receipt: say, since a backup was restored that is older. other_ids: the ids are not those that it was made of. still_there: patterns with some of the ids are there. */
            fault: ("signature" | "organization" | "unknown" | "other_ids" | "still_there") | null;
            /** @description Of the given ids, those of patterns that are there now; null without ids. */
            remaining: number | null;
            /** @description null without a selector. */
            selector_matches: boolean | null;
            valid: boolean;
        };
        VerifyEmailRequest: {
            /** @example verify_RXH_wKkdkKA3R-sYLIiG-TqO_nYcRrTRj8bHAMnV0ek */
            token: string;
        };
        VerifyMfaRequest: {
            /** @example 123456 */
            code: string;
        };
        VerifyMfaResponse: {
            message: string;
            /** @description Ten; each works once. */
            recovery_codes: string[];
        };
        VerifyReceiptRequest: {
            /** @description All that the receipt is about, in any order; none where only versions of patterns were emptied. */
            pattern_ids?: string[];
            receipt: string;
            /** @description What the patterns were chosen by, for comparison with the receipt: the body that was sent will do. */
            selector?: {
                [key: string]: unknown;
            } | null;
        };
        WarmClusterRequest: {
            /**
             * @example [
             *       0.1,
             *       -0.2,
             *       0.3
             *     ]
             */
            embedding: number[];
        };
        WarmClusterResponse: {
            /** @description Patterns around the key, those in memory among them. */
            cluster_size: number;
            /** @description How many payloads were read that were not in memory. */
            patterns_prefetched: number;
        };
        WarmPrefetchRequest: {
            /** @description Of any length. Null: the patterns used last. */
            context_keys?: number[][] | null;
            /**
             * @description Number of hops.
             * @default 1
             */
            depth?: number;
            /**
             * @description What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.
             * @example {
             *       "role": "user",
             *       "source": [
             *         "chat",
             *         "mail"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
        };
        WarmPrefetchResponse: {
            /** @description Payloads of the space that are in memory now. */
            cache_size: number;
            /** @description How many payloads were read that were not in memory. */
            patterns_prefetched: number;
            /** @description Whether there was anything to begin with. */
            warmed_up: boolean;
        };
        Webhook: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            event_types: ("memory.regime_changed" | "memory.consolidation_completed" | "memory.pattern_limit_warning" | "memory.pattern_limit_reached" | "billing.payment_failed" | "account.key_expiring" | "organization.member_joined" | "account.export_ready")[] | null;
            /** Format: uuid */
            id: string;
            /**
             * @description Disabled by request, by an answer 410, or after ten attempts in vain.
             * @enum {string}
             */
            status: "active" | "disabled";
            url: string;
        };
        WebhookDeliveries: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            next_cursor: string | null;
        };
        WebhookDelivery: {
            attempts: number;
            /** Format: date-time */
            created_at: string;
            /** @description How long the last attempt took, to the end of the answer or its failure. Null before the first. */
            duration_ms: number | null;
            /** @description The `webhook-id` that the receiver sees, at each attempt and when it is sent again. */
            event_id: string;
            /** @enum {string} */
            event_type: "memory.regime_changed" | "memory.consolidation_completed" | "memory.pattern_limit_warning" | "memory.pattern_limit_reached" | "billing.payment_failed" | "account.key_expiring" | "organization.member_joined" | "account.export_ready" | "webhook.test";
            /** Format: uuid */
            id: string;
            next_attempt_at: string | null;
            /** @description How the last answer’s body begins: 1 KiB at most, with U+FFFD for what is no UTF-8, and for NUL. Null when there was no answer. */
            response_body: string | null;
            /** @description Of the last attempt; null when there was no answer. */
            response_status: number | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
        };
        WebhookDeliveryDetails: {
            /** @description The attempts in their order, also those before it was sent again: the newest 20. Attempts of releases that kept none are not there. */
            attempt_history: {
                /** Format: date-time */
                attempted_at: string;
                duration_ms: number;
                /** @description Why there was no answer. */
                failure: ("timeout" | "not_resolved" | "not_allowed" | "not_connected" | "certificate_refused" | "connection_broken") | null;
                /** @description How the answer’s body begins, as in `response_body` of the delivery. */
                response_body: string | null;
                response_status: number | null;
            }[];
            attempts: number;
            /** Format: date-time */
            created_at: string;
            /** @description How long the last attempt took, to the end of the answer or its failure. Null before the first. */
            duration_ms: number | null;
            /** @description The `webhook-id` that the receiver sees, at each attempt and when it is sent again. */
            event_id: string;
            /** @enum {string} */
            event_type: "memory.regime_changed" | "memory.consolidation_completed" | "memory.pattern_limit_warning" | "memory.pattern_limit_reached" | "billing.payment_failed" | "account.key_expiring" | "organization.member_joined" | "account.export_ready" | "webhook.test";
            /** Format: uuid */
            id: string;
            next_attempt_at: string | null;
            /** @description The body as it is sent, which is what is signed: JSON text. */
            payload: string;
            /** @description How the last answer’s body begins: 1 KiB at most, with U+FFFD for what is no UTF-8, and for NUL. Null when there was no answer. */
            response_body: string | null;
            /** @description Of the last attempt; null when there was no answer. */
            response_status: number | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
        };
        Webhooks: {
            webhooks: components["schemas"]["Webhook"][];
        };
        WebhookWithSecret: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            event_types: ("memory.regime_changed" | "memory.consolidation_completed" | "memory.pattern_limit_warning" | "memory.pattern_limit_reached" | "billing.payment_failed" | "account.key_expiring" | "organization.member_joined" | "account.export_ready")[] | null;
            /** Format: uuid */
            id: string;
            /** @description `whsec_…`, in this answer and nowhere else. */
            secret: string;
            /**
             * @description Disabled by request, by an answer 410, or after ten attempts in vain.
             * @enum {string}
             */
            status: "active" | "disabled";
            url: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKeys"];
                };
            };
        };
    };
    liveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
        };
    };
    readiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    listBackups: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupsFound"];
                };
            };
        };
    };
    readHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    listAllOrganizations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                limit?: number;
                plan?: "free" | "starter" | "pro" | "scale" | "enterprise";
                /** @description Part of the name, or the whole id. */
                search?: string;
            };
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdministeredOrganizations"];
                };
            };
        };
    };
    changePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePlanRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePlanResponse"];
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plans"];
                };
            };
        };
    };
    listQueues: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queues"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                limit?: number;
                state?: "waiting" | "active" | "delayed" | "completed" | "failed";
            };
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                queue: "spaces" | "tiers" | "chores";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jobs"];
                };
            };
        };
    };
    removeJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                job_id: string;
                queue: "spaces" | "tiers" | "chores";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    retryJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                job_id: string;
                queue: "spaces" | "tiers" | "chores";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listAllReceipts: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                limit?: number;
                /** @description Of this one only. */
                organization_id?: string;
            };
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdministeredReceipts"];
                };
            };
        };
    };
    readTotalUsage: {
        parameters: {
            query?: {
                /** @description The last of them is today. */
                days?: number;
            };
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotalUsage"];
                };
            };
        };
    };
    listAllUsers: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                limit?: number;
                /** @description Members of this one only. */
                organization_id?: string;
                /** @description Part of the address or of the name, or the whole id. */
                search?: string;
                status?: "active" | "suspended" | "deleted";
            };
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdministeredUsers"];
                };
            };
        };
    };
    getAnyUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdministeredUserDetails"];
                };
            };
        };
    };
    activateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    restoreAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    suspendUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuspendUserRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    changeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    logoutAll: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    disableMfa: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DisableMfaRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    enableMfa: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    mfaLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MfaLoginRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MfaLoginResponse"];
                };
            };
        };
    };
    setUpMfa: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetUpMfaResponse"];
                };
            };
        };
    };
    verifyMfa: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyMfaRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyMfaResponse"];
                };
            };
        };
    };
    refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisterResponse"];
                };
            };
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyEmailRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    receiveBillingEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingEvent"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    createEmbeddings: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEmbeddingsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateEmbeddingsResponse"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptInvitationResponse"];
                };
            };
        };
    };
    runAccelerationBenchmark: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RunBenchmarkRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunBenchmarkResponse"];
                };
            };
        };
    };
    accelerationStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccelerationStatus"];
                };
            };
        };
    };
    batchRetrieveVectors: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRetrieveVectorsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchRetrieveVectorsResponse"];
                };
            };
        };
    };
    batchStoreVectors: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchStoreVectorsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchStoreVectorsResponse"];
                };
            };
        };
    };
    classifyBelief: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClassifyBeliefRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClassifyBeliefResponse"];
                };
            };
        };
    };
    readBrain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadBrainResponse"];
                };
            };
        };
    };
    composeVectors: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ComposeVectorsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComposeVectorsResponse"];
                };
            };
        };
    };
    composeFractional: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ComposeFractionalRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComposeFractionalResponse"];
                };
            };
        };
    };
    listConflicts: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Default: all. */
                kind?: "near_duplicate" | "possible_contradiction" | "superseded_candidate";
                limit?: number;
                status?: "open" | "kept" | "superseded" | "dismissed";
                /** @description The end user whose texts are meant. Default: all. */
                subject?: string;
            };
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictList"];
                };
            };
        };
    };
    reopenConflict: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                conflict_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
        };
    };
    resolveConflict: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                conflict_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveConflictRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
        };
    };
    readContext: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: while nothing of it has changed, the answer is an empty 304. */
                "if-none-match"?: string;
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReadContextRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadContextResponse"];
                };
            };
            /** @description Nothing of the answer that `If-None-Match` names has changed */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    invalidateCluster: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrefetchInvalidated"];
                };
            };
        };
    };
    warmCluster: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WarmClusterRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WarmClusterResponse"];
                };
            };
        };
    };
    evaluateEfe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluateEfeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluateEfeResponse"];
                };
            };
        };
    };
    explore: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExploreRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExploreResponse"];
                };
            };
        };
    };
    consolidationCandidates: {
        parameters: {
            query?: {
                min_priority?: number;
            };
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsolidationCandidatesResponse"];
                };
            };
        };
    };
    detectSpurious: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetectSpuriousResponse"];
                };
            };
        };
    };
    exploreSuggestions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExploreSuggestionsResponse"];
                };
            };
        };
    };
    giveFeedback: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiveFeedbackRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    spaceMap: {
        parameters: {
            query?: {
                /** @description Length of the vectors that are shown. Default: that of most patterns. */
                dimensions?: number;
                /** @description As JSON. What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`. */
                filter?: string;
                limit?: number;
                /** @description The end user whose patterns are meant. Default: all. */
                subject?: string;
            };
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpaceMapResponse"];
                };
            };
        };
    };
    calibrateModulation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CalibrateModulationRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalibrateModulationResponse"];
                };
            };
        };
    };
    modulationHistory: {
        parameters: {
            query?: {
                window?: number;
            };
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModulationHistoryResponse"];
                };
            };
        };
    };
    modulationState: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModulationResponse"];
                };
            };
        };
    };
    changeVector: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeVectorRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    deleteVectors: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": number[];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    getVector: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                pattern_idx: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VectorPattern"];
                };
            };
        };
    };
    listPatterns: {
        parameters: {
            query?: {
                /** @description Only what occurred (`occurred_at`) at this time or later. */
                after?: string;
                /** @description What was recorded and valid at this time, in the versions of then, as far as they are kept; in store order. */
                as_of?: string;
                /** @description Only what occurred (`occurred_at`) earlier than this time, which is not included. */
                before?: string;
                /** @description `next_cursor` of the page before, which must have been asked for in the same order. */
                cursor?: string;
                /** @description As JSON. What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`. */
                filter?: string;
                /** @description Those too that are not valid any more, or not yet. */
                include_superseded?: boolean;
                limit?: number;
                /** @description By a time, the oldest first; with - the newest. `created_at` is store order. */
                order?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "occurred_at" | "-occurred_at";
                /** @description Only texts that contain this, in whatever case. */
                q?: string;
                /** @description The end user whose patterns are meant; the search takes several, or none. */
                subject?: string;
            };
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PatternList"];
                };
            };
        };
    };
    emptySpace: {
        parameters: {
            query: {
                /** @description Must be `all`. */
                confirm: "all";
            };
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptiedSpace"];
                };
            };
        };
    };
    getPattern: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                /** @description Its id, or `ext:` and your own, URL-encoded. */
                pattern_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pattern"];
                };
            };
        };
    };
    deletePattern: {
        parameters: {
            query?: never;
            header?: {
                /** @description Do it only where the pattern has this `ETag`; another one is answered with 412. */
                "if-match"?: string;
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                /** @description Its id, or `ext:` and your own, URL-encoded. */
                pattern_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    changePattern: {
        parameters: {
            query?: never;
            header?: {
                /** @description Do it only where the pattern has this `ETag`; another one is answered with 412. */
                "if-match"?: string;
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                /** @description Its id, or `ext:` and your own, URL-encoded. */
                pattern_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangePatternRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pattern"];
                };
            };
        };
    };
    listVersions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                /** @description Its id, or `ext:` and your own, URL-encoded. */
                pattern_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PatternHistory"];
                };
            };
        };
    };
    redactVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                /** @description Its id, or `ext:` and your own, URL-encoded. */
                pattern_id: string;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    revertPattern: {
        parameters: {
            query?: never;
            header?: {
                /** @description Do it only where the pattern has this `ETag`; another one is answered with 412. */
                "if-match"?: string;
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                /** @description Its id, or `ext:` and your own, URL-encoded. */
                pattern_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevertPatternRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pattern"];
                };
            };
        };
    };
    countPatterns: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CountPatternsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountPatternsResponse"];
                };
            };
        };
    };
    deletePatterns: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeletePatternsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletePatternsResponse"];
                };
            };
        };
    };
    getPatterns: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GetPatternsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPatternsResponse"];
                };
            };
        };
    };
    searchPatterns: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SearchPatternsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PatternList"];
                };
            };
        };
    };
    invalidatePrefetch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrefetchInvalidated"];
                };
            };
        };
    };
    warmPrefetch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WarmPrefetchRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WarmPrefetchResponse"];
                };
            };
        };
    };
    queryVectors: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryVectorsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryVectorsResponse"];
                };
            };
        };
    };
    querySemantic: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuerySemanticRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetrieveVectorsResponse"];
                };
            };
        };
    };
    listReceipts: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptList"];
                };
            };
        };
    };
    verifyReceipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyReceiptRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedReceipt"];
                };
            };
        };
    };
    regime: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegimeResponse"];
                };
            };
        };
    };
    regimeHistory: {
        parameters: {
            query?: {
                last_n?: number;
            };
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegimeHistoryResponse"];
                };
            };
        };
    };
    injectAnomaly: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InjectAnomalyRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InjectAnomalyResponse"];
                };
            };
        };
    };
    retrieveVectors: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetrieveVectorsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetrieveVectorsResponse"];
                };
            };
        };
    };
    decideRouting: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideRoutingRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecideRoutingResponse"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Default: both. */
                kind?: "sleep" | "exploration";
                limit?: number;
            };
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
        };
    };
    sleep: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SleepRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SleepResponse"];
                };
            };
        };
    };
    storeVector: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreVectorRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreVectorResponse"];
                };
            };
        };
    };
    issueSubjectToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubjectTokenRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubjectToken"];
                };
            };
        };
    };
    listSubjects: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                limit?: number;
                /** @description What their names begin with. */
                prefix?: string;
            };
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubjectList"];
                };
            };
        };
    };
    getSubject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                subject: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subject"];
                };
            };
        };
    };
    eraseSubject: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                subject: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasedSubject"];
                };
            };
        };
    };
    exportSubject: {
        parameters: {
            query?: {
                /** @description As JSON. What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`. */
                filter?: string;
            };
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                subject: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
        };
    };
    batchStoreTexts: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchStoreTextsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchStoreTextsResponse"];
                };
            };
        };
    };
    embedText: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmbedTextRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbedTextResponse"];
                };
            };
        };
    };
    explainText: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExplainTextRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainTextResponse"];
                };
            };
        };
    };
    forgetTextsByPost: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ForgetTextsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgetTextsResponse"];
                };
            };
        };
    };
    forgetTexts: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ForgetTextsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgetTextsResponse"];
                };
            };
        };
    };
    listImportant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportantResponse"];
                };
            };
        };
    };
    predictTexts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PredictTextsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictTextsResponse"];
                };
            };
        };
    };
    recallTexts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecallTextsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecallTextsResponse"];
                };
            };
        };
    };
    retrieveTexts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetrieveTextsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetrieveTextsResponse"];
                };
            };
        };
    };
    compareTexts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompareTextsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareTextsResponse"];
                };
            };
        };
    };
    textStatistics: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextStatisticsResponse"];
                };
            };
        };
    };
    storeText: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreTextRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreTextResponse"];
                };
            };
        };
    };
    tierDistribution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TierDistributionResponse"];
                };
            };
        };
    };
    retrieveTiered: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetrieveTieredRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetrieveTieredResponse"];
                };
            };
        };
    };
    tierStatistics: {
        parameters: {
            query?: never;
            header?: {
                /** @description The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing. */
                "x-memory-actor"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TierStatisticsResponse"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                unread_only?: boolean;
            };
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notifications"];
                };
            };
        };
    };
    deleteNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                notification_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationDeleted"];
                };
            };
        };
    };
    readNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                notification_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRead"];
                };
            };
        };
    };
    deleteReadNotifications: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsDeleted"];
                };
            };
        };
    };
    readAllNotifications: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsRead"];
                };
            };
        };
    };
    streamNotifications: {
        parameters: {
            query?: {
                /** @description It ends after so long; for programs that look in now and then. */
                max_seconds?: number;
            };
            header?: {
                /** @description The `id` of the last event that the client has: those after it are told. */
                "last-event-id"?: string;
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organizations: components["schemas"]["Organization"][];
                    };
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    changeOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeOrganizationRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    listOrganizationApiKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
        };
    };
    createOrganizationApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    revokeOrganizationApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                key_id: string;
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    changeOrganizationApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                key_id: string;
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitations: components["schemas"]["Invitation"][];
                    };
                };
            };
        };
    };
    invite: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                invitation_id: string;
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        members: components["schemas"]["Member"][];
                    };
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                org_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                org_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMemberRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    readAuditLog: {
        parameters: {
            query?: {
                action?: "register" | "login" | "login_failed" | "logout" | "logout_all" | "token_refresh_reuse" | "password_changed" | "password_reset_requested" | "password_reset" | "email_verified" | "mfa_enabled" | "mfa_disabled" | "mfa_recovery_used" | "key_created" | "key_updated" | "key_revoked" | "session_revoked" | "client_authorized" | "member_invited" | "invitation_withdrawn" | "member_joined" | "member_removed" | "role_changed" | "organization_updated" | "plan_changed" | "webhook_created" | "webhook_updated" | "webhook_deleted" | "webhook_disabled" | "secret_rotated" | "export_requested" | "account_deleted" | "account_restored" | "account_suspended" | "account_activated" | "job_retried" | "job_removed" | "memory_forgotten" | "anomaly_injected";
                /** @description Exactly this one, in any case. */
                actor_email?: string;
                limit?: number;
                page?: number;
                /** @description Nothing earlier. */
                since?: string;
                /** @description Only what succeeded, or what did not. */
                success?: boolean;
                /** @description Only what is earlier. */
                until?: string;
            };
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLog"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    breakDownUsage: {
        parameters: {
            query?: {
                by?: "operation" | "key" | "subject";
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                limit?: number;
                /** @description The beginning of this month unless said. */
                since?: string;
                /** @description No longer of it; unless said, all up to now, with the hour that has begun. */
                until?: string;
            };
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageBreakdown"];
                };
            };
        };
    };
    readUsageHistory: {
        parameters: {
            query?: {
                granularity?: "hourly" | "daily" | "weekly";
                period?: "7d" | "30d" | "90d" | "365d";
            };
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageHistory"];
                };
            };
        };
    };
    readLatencies: {
        parameters: {
            query?: {
                operation?: "store" | "retrieve" | "recall" | "explain" | "consolidate";
                period?: "1h" | "6h" | "24h" | "7d";
            };
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageLatency"];
                };
            };
        };
    };
    readOrganizationUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationUsage"];
                };
            };
        };
    };
    summarizeUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageSummary"];
                };
            };
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    changeProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeProfileRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    requestExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestExportResponse"];
                };
            };
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
        };
    };
    downloadExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                cursor?: string;
                event_type?: "memory.regime_changed" | "memory.consolidation_completed" | "memory.pattern_limit_warning" | "memory.pattern_limit_reached" | "billing.payment_failed" | "account.key_expiring" | "organization.member_joined" | "account.export_ready" | "webhook.test";
                limit?: number;
                status?: "pending" | "delivered" | "failed";
            };
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveries"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                delivery_id: string;
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetails"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                delivery_id: string;
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description With an access token: the space to work on; live unless said. */
                "x-memory-environment"?: "live" | "test";
                /** @description With an access token: the organization that the request is for, else that of the oldest membership. */
                "x-organization-id"?: string;
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
}
