#pragma once

/// See gloo/context.h. ProcessGroupGloo.hpp includes this header and uses nothing of it.
