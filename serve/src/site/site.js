// The first script of a site without a server: it puts the files of the site in the place of the service, and then starts the
// page.

import { answerFrom } from "./service.js";
import { filesOfSite } from "./source.js";

answerFrom(filesOfSite());
await import("./main.js");
